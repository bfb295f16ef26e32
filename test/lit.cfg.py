# lit: how the tests of the tools run. RUN lines find tile-opt, tile-translate, tile-run, FileCheck
# and not on PATH; %source is the repository, %build the build folder.
import os
import pwd
import shutil
import sys

import lit.formats

config.name = "tile"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".py"]
config.excludes = ["unit", "fuzz", "Inputs", "lit.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.tile_build, "test", "lit")
# Freed memory is filled, so that a tool which looks at it fails (glibc, mallopt M_PERTURB).
config.environment["MALLOC_PERTURB_"] = "90"
config.environment["PATH"] = os.pathsep.join(
    [config.tile_tools, config.llvm_tools, os.environ.get("PATH", "")])
config.environment["ASAN_OPTIONS"] = "detect_leaks=%s" % (
    "1" if config.tile_sanitize in ("ON", "1", "TRUE") else "0")
config.environment["LSAN_OPTIONS"] = "suppressions=%s/scripts/lsan.supp:print_suppressions=0" % (
    config.tile_source)
for name in ("TILE_PTXAS", "CUDA_HOME", "TMPDIR", "HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
# Not the user's; and empty at first.
config.environment["TILE_CACHE_DIR"] = os.path.join(config.tile_build, "test", "cache")
shutil.rmtree(config.environment["TILE_CACHE_DIR"], ignore_errors=True)
config.substitutions.append(("%source", config.tile_source))
config.substitutions.append(("%build", config.tile_build))
config.substitutions.append(("%cc", config.tile_compiler))
config.substitutions.append(("%python", sys.executable))
# Mutants that move operations are many: in one build. %some, in the longer tests: with sanitizers
# one mutant in twelve.
is_sanitized = config.tile_sanitize in ("ON", "1", "TRUE")
some = "--every 12" if is_sanitized else ""
in_release_with_gcc = not is_sanitized and os.path.basename(
    config.tile_compiler).startswith("gcc")
config.substitutions.append(("%some", some))
config.substitutions.append(("%moves", "--moves" if in_release_with_gcc else ""))
# `%import FLAGS FILE` prints the import of a kernel that verifies and is stable; see the script.
config.substitutions.append(("%import", "sh %s/test/frontend/kernels/Inputs/import.sh %%t.mlir" %
                             config.tile_source))

if is_sanitized:
    config.available_features.add("sanitized")
    # What takes longest there, and is the emulator's work, the release build has alone; with
    # TILE_TESTS=all both.
    if os.environ.get("TILE_TESTS") != "all":
        config.available_features.add("short")
else:  # what is said of the libraries' sizes, symbols and needs is said of them
    config.available_features.add("link-" + config.tile_link)
if os.path.basename(config.tile_compiler).startswith("gcc"):
    config.available_features.add("gcc")
if shutil.which("ptxas") or os.access("/usr/local/cuda/bin/ptxas", os.X_OK):
    config.available_features.add("ptxas")
if os.uname().machine == "x86_64":
    config.available_features.add("x86-64")
if os.geteuid() == 0:
    config.available_features.add("root")
# Engines that the recipes of examples/tuning are for; scripts/install-packages.sh installs them.
if shutil.which("parallel"):
    config.available_features.add("parallel")
# An account without a name starts no job, and one that cannot log in cannot do so by ssh.
try:
    shell = pwd.getpwuid(os.getuid()).pw_shell
except KeyError:
    shell = None
if shell is not None and all(os.access(os.path.join("/usr/sbin", name), os.X_OK)
                             for name in ("slurmctld", "slurmd")):
    config.available_features.add("slurm")
if (shell and os.access("/usr/sbin/sshd", os.X_OK)
        and os.path.basename(shell) not in ("nologin", "false")):
    config.available_features.add("ssh")
