# SPDX-License-Identifier: MIT
"""Python reads this file at its start where this folder is in PYTHONPATH. In a process that a test
starts (a script beside it, a worker of multiprocessing), the toolkit takes Triton's place as soon
as `triton` is imported."""
import importlib.abc
import importlib.util
import os
import sys


class AfterTriton(importlib.abc.MetaPathFinder):
    looking = False

    def find_spec(self, name, path, target=None):
        """PyTorch asks as well, only to know whether there is a Triton."""
        if name != "triton" or self.looking:
            return None
        self.looking = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self.looking = False
        return spec and self.changed(spec)

    def changed(self, spec):
        execute = spec.loader.exec_module

        def exec_module(module):
            sys.meta_path.remove(self)
            execute(module)
            import stand_in
            stand_in.install(os.environ["TILE_TRITON_TESTS"])

        spec.loader.exec_module = exec_module
        return spec


if os.environ.get("TILE_TRITON_TESTS"):
    sys.meta_path.insert(0, AfterTriton())
