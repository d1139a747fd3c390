"""What can be compiled for from here, by which compiler, and how setup.py is told."""
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from pprint import pformat

from scripts.packaging.pythons import Python

ROOT = Path(__file__).parents[2]
ZIG = f"{shlex.quote(sys.executable)} -m ziglang cc"
MODULE = "_sysconfigdata_target"        # what Python's own build leaves behind of its settings, and sysconfig reads


@dataclass(frozen=True)
class Target:
    """A system with its processor. `platform` and `suffix` are Python's words: of its builds, and what ends the names
    of compiled modules for one version of it; `{version}` stands for that, as 311."""

    name: str
    platform: str
    suffix: str
    compiler: str
    remedy: str                         # where the compiler comes from
    linking: str = "-shared"

    @property
    def folder(self) -> Path:
        """Where its files are fetched to and built."""
        return ROOT / "build" / self.name

    @property
    def built(self) -> Path:
        return self.folder / "lib"

    def compile(self, python: Python) -> None:
        """All modules, into `built`. OSError if the compiler is not there, or fails."""
        if not shutil.which(shlex.split(self.compiler)[0]):
            raise OSError(f"{self.compiler} is missing: {self.remedy}")
        settings = ["[build_ext]", "include_dirs=" + os.pathsep.join(map(str, (*python.headers, python.include)))]
        if python.link_folder:
            settings += [f"library_dirs={python.link_folder}", f"libraries=python{python.version}"]
        link = f"{self.compiler} {self.linking}"
        variables = {       # what sysconfig is to say there, as far as a build asks for it
            "CC": self.compiler, "CXX": self.compiler, "CFLAGS": "", "LDSHARED": link, "LDCXXSHARED": link,
            "CCSHARED": "" if self.name == "windows" else "-fPIC", "AR": "ar", "ARFLAGS": "rcs",
            "EXT_SUFFIX": self.suffix.format(version=python.version), "SHLIB_SUFFIX": Path(self.suffix).suffix,
            "INCLUDEPY": str(python.include), "CONFINCLUDEPY": str(python.include), "Py_GIL_DISABLED": 0, "Py_DEBUG": 0,
            "Py_ENABLE_SHARED": 0,
        }
        with tempfile.TemporaryDirectory() as made:
            Path(made, f"{MODULE}.py").write_text(f"build_time_vars = {pformat(variables)}\n", encoding="utf-8")
            Path(made, "setup.cfg").write_text("\n".join(settings), encoding="utf-8")
            environment = os.environ | {
                "_PYTHON_HOST_PLATFORM": self.platform, "_PYTHON_SYSCONFIGDATA_NAME": MODULE, "PYTHONPATH": made,
                "DIST_EXTRA_CONFIG": str(Path(made, "setup.cfg"))}
            environment.pop("CC", None)         # which is for this system
            status = subprocess.run([sys.executable, "setup.py", "--quiet", "build", "--build-lib", self.built,
                                     "--build-temp", self.folder / "temp"], cwd=ROOT, env=environment).returncode
        if status:
            raise OSError(f"setup.py failed for {self.name}: exit status {status}")


def _macos(name: str, triple: str) -> Target:
    architecture = "arm64" if triple.startswith("aarch64") else "x86_64"
    return Target(name, f"macosx-11.0-{architecture}", ".cpython-{version}-darwin.so", f"{ZIG} -target {triple}",
                  "pip install ziglang", "-shared -undefined dynamic_lookup")


TARGETS = {target.name: target for target in (
    Target("aarch64", "linux-aarch64", ".cpython-{version}-aarch64-linux-gnu.so", "aarch64-linux-gnu-gcc",
           "apt-get install gcc-aarch64-linux-gnu"),
    Target("windows", "win-amd64", ".cp{version}-win_amd64.pyd", "x86_64-w64-mingw32-gcc-posix",
           "apt-get install gcc-mingw-w64-x86-64-posix"),
    _macos("macos-arm64", "aarch64-macos"),
    _macos("macos-x86_64", "x86_64-macos"),
)}
