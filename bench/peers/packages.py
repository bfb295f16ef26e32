# SPDX-License-Identifier: MIT
"""Kernels out of packages that need not be installed, nor anything that these import: of a file
only those statements at its top level are run which the kernel reaches by name, and so on through
the files that it imports. What cannot be imported or run, on the way, is a Missing, of which a
kernel has no use. Of decorators jit alone is applied: no autotuner."""
import ast
import builtins
import importlib
import os
import types


class Missing:
    """Stands for anything: what a package takes from others at import."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Missing()

    def __call__(self, *arguments, **named):
        return Missing()

    def __bool__(self):
        return False


def make_module(name, source):
    """A module whose names are made when they are asked for. Triton knows modules by their very
    type."""
    def find(attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return source.find(attribute)
    module = types.ModuleType(name)
    module.__dict__.update(__getattr__=find, __path__=[source.folder])
    return module


def is_jit(decorator):
    """Of triton: `triton.jit`, `jit`, with arguments or without."""
    call = decorator.func if isinstance(decorator, ast.Call) else decorator
    return ast.unparse(call).rsplit(".", 1)[-1] == "jit"


def without_other_decorators(statement):
    for node in ast.walk(statement):
        if isinstance(node, ast.FunctionDef) and any(map(is_jit, node.decorator_list)):
            node.decorator_list = [d for d in node.decorator_list if is_jit(d)]


def bound_names(statement):
    """What a statement at the top level defines, the branches of `if` and `try` included."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {(a.asname or a.name).split(".")[0] for a in statement.names}
    if isinstance(statement, (ast.If, ast.Try, ast.With)):
        parts = [s for field in ("body", "orelse", "handlers", "finalbody")
                 for s in getattr(statement, field, [])]
        parts = [s for p in parts for s in (p.body if isinstance(p, ast.ExceptHandler) else [p])]
        return set().union(*map(bound_names, parts)) if parts else set()
    return {n.id for n in ast.walk(statement)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


class Source:
    """A file; or a folder, and then its __init__.py if it has one."""

    def __init__(self, packages, name, path):
        self.packages, self.name = packages, name
        self.is_folder = os.path.isdir(path)
        self.folder = path if self.is_folder else os.path.dirname(path)
        self.path = os.path.join(path, "__init__.py") if self.is_folder else path
        self.module = make_module(name, self)
        self.statements, self.done, self.finding = None, set(), set()

    def read(self):
        if self.statements is not None:
            return
        self.statements = []
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as file:
                self.statements = ast.parse(file.read(), self.path).body
        self.bound = [bound_names(s) for s in self.statements]
        self.module.__dict__.update(
            __file__=self.path, __name__=self.name,
            __package__=self.name if self.is_folder else self.name.rpartition(".")[0],
            __builtins__={**vars(builtins), "__import__": self.packages.import_name})

    def find(self, name):
        """The value of a name; AttributeError where the file does not have it."""
        self.read()
        if name in self.module.__dict__:
            return self.module.__dict__[name]
        if name not in self.finding:
            self.finding.add(name)
            for i, names in enumerate(self.bound):
                if name in names:
                    self.run(i)
            if name not in self.module.__dict__:
                self.find_elsewhere(name)
        if name not in self.module.__dict__:
            raise AttributeError(f"{self.path} has no {name}")
        return self.module.__dict__[name]

    def find_elsewhere(self, name):
        """In files of which all names are imported, or a file of the folder."""
        for statement in self.statements:
            if isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*":
                try:
                    module = self.packages.import_name(statement.module or "", self.module.__dict__,
                                                       fromlist=("*",), level=statement.level)
                    self.module.__dict__[name] = getattr(module, name)
                    return
                except (ImportError, AttributeError):
                    continue
        source = self.packages.source(f"{self.name}.{name}") if self.is_folder else None
        if source:
            self.module.__dict__[name] = source.module

    def run(self, i):
        """A statement, after those that define what it uses."""
        if i in self.done:
            return
        self.done.add(i)
        statement = self.statements[i]
        without_other_decorators(statement)
        used = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
        for name in sorted(used - self.bound[i]):
            try:
                self.find(name)
            except AttributeError:
                pass  # a builtin, or local
        self.execute(statement)
        if isinstance(statement, ast.If):
            self.execute_branch(statement)
        if isinstance(statement, (ast.Import, ast.ImportFrom)) or len(self.bound[i]) == 1:
            for name in self.bound[i]:
                self.module.__dict__.setdefault(name, Missing())

    def execute(self, statement):
        try:
            exec(compile(ast.Module([statement], []), self.path, "exec"), self.module.__dict__)
        except Exception:
            pass  # what it would have bound is missing

    def execute_branch(self, statement):
        """What is there only if something is that is missing here."""
        for part in statement.body:
            if not bound_names(part) <= set(self.module.__dict__):
                self.execute(part)


class Packages:
    """The folders in which packages begin."""

    def __init__(self, folders):
        self.folders, self.sources = folders, {}

    def source(self, name):
        if name not in self.sources:
            places = [os.path.join(f, *name.split(".")) for f in self.folders]
            paths = [p for place in places for p in (place + ".py", place) if os.path.exists(p)]
            self.sources[name] = Source(self, name, paths[0]) if name and paths else None
        return self.sources[name]

    def file(self, path):
        """A file by its place, with the name under which packages import it."""
        for folder in self.folders:
            inside = os.path.relpath(path, folder)
            if not inside.startswith(".."):
                name = inside[:-len(".py")].replace(os.sep, ".")
                return self.source(name) or Source(self, name, path)
        return Source(self, os.path.basename(path)[:-len(".py")], path)

    def import_name(self, name, names=None, locals=None, fromlist=(), level=0):
        """In place of __import__ within the files."""
        if level:
            package = names["__package__"].split(".")
            package = package[:len(package) - (level - 1)]
            name = ".".join(package + ([name] if name else []))
        source = self.source(name)
        if not source:
            if self.source(name.split(".")[0]):
                raise ImportError(f"no module {name}")
            return importlib.__import__(name, None, None, fromlist, 0)
        return source.module if fromlist else self.source(name.split(".")[0]).module


def load_kernel(path, name, folders, jit_type):
    """The function below wrappers that are left."""
    kernel = Packages(folders).file(path).find(name)
    while not isinstance(kernel, jit_type):
        kernel = kernel.fn
    return kernel
