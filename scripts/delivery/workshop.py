"""Where a folder for GUIs is put together: on this system for its own kind, or under Wine for Windows."""
import os
import platform
import shutil
import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scripts.delivery.interpreters import environment, run
from scripts.delivery.trial import Engine
from scripts.platforms.pythons import install, python_for
from scripts.platforms.targets import TARGETS

PACKAGES = ("pyinstaller", "click")
# Of the two above, there; pip leaves out what is needed on another system than its own.
WINDOWS_PACKAGES = ("pefile", "pywin32-ctypes", "colorama")


@dataclass(frozen=True)
class Workshop:
    """A Python with PyInstaller and all that is to be in the folder."""

    packages: Path                      # the folder where these are
    python_licence: Path
    run: Callable[..., str]             # that Python with its arguments: what it prints; OSError if it fails


@dataclass(frozen=True)
class System:
    """What a folder is for."""

    name: str
    machine: str
    equip: Callable[[Path, Path], Workshop]     # of an empty folder and the wheel. OSError if something is missing
    engine: Callable[[Path], Engine]            # how its program is started here

    @property
    def windows(self) -> bool:
        return self.name == "windows"

    @property
    def program(self) -> str:
        return "engine.exe" if self.windows else "engine"

    def packed(self, folder: Path) -> Path:
        """An archive next to it, of the kind that is usual there."""
        kind = "zip" if self.windows else "xztar"
        return Path(shutil.make_archive(str(folder), kind, folder.parent, folder.name))


def _equip_here(made: Path, wheel: Path) -> Workshop:
    python = environment(sys.executable, made, *PACKAGES) / "python"
    run(python, "-m", "pip", "install", "--quiet", "--no-deps", wheel)
    packages = run(python, "-c", "import sysconfig; print(sysconfig.get_path('platlib'))").strip()
    return Workshop(Path(packages), Path(sysconfig.get_path("stdlib")) / "LICENSE.txt",
                    lambda *arguments: run(python, *arguments))


def _equip_under_wine(made: Path, wheel: Path) -> Workshop:
    target = TARGETS["windows"]
    python = python_for(target)
    install(made, python.version, "win_amd64", *PACKAGES, *WINDOWS_PACKAGES)
    install(made, python.version, "win_amd64", "--no-deps", wheel)

    def run_there(*arguments: str | Path) -> str:
        done = python.run([*map(str, arguments)], made)
        if done.returncode:
            raise OSError(f"{done.stdout[-3000:]}\nPython under Wine failed: exit status {done.returncode}")
        return done.stdout

    return Workshop(made, target.folder / "python" / "Lib" / "LICENSE.txt", run_there)


def _engine_under_wine(program: Path) -> Engine:
    python = python_for(TARGETS["windows"])
    return Engine((*python.command[:-1], program), python.environment)


THIS = System(sys.platform.replace("win32", "windows"), platform.machine().lower(), _equip_here,
              lambda program: Engine((program,)))
WINDOWS = THIS if os.name == "nt" else System("windows", "amd64", _equip_under_wine, _engine_under_wine)
