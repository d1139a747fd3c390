"""What can be compiled for from here, and by which compiler."""
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DATA = Path(__file__).parent / "data"
ZIG = f"{shlex.quote(sys.executable)} -m ziglang cc"


def missing(what: str, remedy: str) -> OSError:
    """What is raised for a tool that is not there."""
    return OSError(f"{what} is missing: {remedy}")


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

    def require_compiler(self) -> None:
        """OSError if it is not there."""
        program = shlex.split(self.compiler)[0]
        if not shutil.which(program):
            raise missing(program, self.remedy)


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
