"""Pythons of other systems, fetched into build/, and run here under qemu and Wine."""
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import urllib.request
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.errors import UserError

ROOT = Path(__file__).parents[2]
DEBIAN_PACKAGES = ("python3-minimal", "libpython3-stdlib", "libpython3-dev", "python3-numpy")
PACKAGES = ("click", "pytest", "rsshogi")       # from PyPI
WINDOWS = "3.11.9"      # of python.org's, as NuGet has it: with headers, and no installer
NUGET = f"https://www.nuget.org/api/v2/package/python/{WINDOWS}"
WINDOWS_PACKAGES = ("numpy<2", "colorama")      # Wine 8 has not all that NumPy 2 calls


@dataclass(frozen=True)
class Python:
    """A Python of another system, as it is compiled for and run here."""

    version: str                    # in the names of modules: 311
    include: Path                   # a folder of its C headers
    command: Sequence[str]          # before Python's own arguments; nothing if it cannot be run
    environment: dict[str, str]
    packages: Sequence[Path] = ()   # folders of what is installed there
    headers: Sequence[Path] = ()    # further folders, searched before it
    link_folder: Path | None = None     # the folder where the linker finds Python, where it has to
    executable: str = ""            # its own name of itself
    separator: str = ":"            # between the folders of a path
    encoding: str = "utf-8"         # of its input and output

    def variables(self, first: Path) -> dict[str, str]:
        """Its environment, in which it finds what lies in the folder `first` before all else, and our scripts behind
        it."""
        path = self.separator.join(map(str, (first, *self.packages, ROOT)))
        return os.environ | self.environment | {"PYTHONPATH": path, "PYTHONSAFEPATH": "1"}

    def run(self, arguments: Sequence[str], first: Path) -> str:
        """What it prints. UserError if it fails."""
        # Wine has no Python begin whose stderr is a file.
        done = subprocess.run([*self.command, *arguments], env=self.variables(first), encoding=self.encoding,
                              errors="replace", cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        if done.returncode:
            raise UserError(f"python {' '.join(arguments)}: exit status {done.returncode}\n{done.stdout}")
        return done.stdout.strip()


def python_for(name: str, folder: Path) -> Python:
    """The one to compile for a target against, fetched into the folder if need be. OSError if something is missing."""
    return {"aarch64": _debian, "windows": _windows}.get(name, _headers_of_ours)(folder)


def _headers_of_ours(folder: Path) -> Python:
    """For what is only compiled: of the headers hardly anything differs."""
    return Python(f"{sys.version_info[0]}{sys.version_info[1]}", Path(sysconfig.get_path("include")), (), {})


def require(remedy: str, *programs: str) -> str:
    """The first of these that is there. OSError if none is."""
    if found := next(filter(None, map(shutil.which, programs)), None):
        return found
    raise OSError(f"{programs[0]} is missing: {remedy}")


def _do(*command: str | Path) -> None:
    """Run a tool of the system; OSError with what it said if it fails."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"{' '.join(map(str, command))}: {done.stderr.strip() or done.stdout.strip()}")


def _install(folder: Path, version: str, platform: str, *packages: str) -> None:
    _do(sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--no-compile", "--platform", platform,
        "--python-version", version, "--only-binary", ":all:", "--target", folder, *packages)


def _debian(folder: Path) -> Python:
    """ARM on Linux: Debian's, unpacked and not installed."""
    qemu = require("apt-get install qemu-user-static", "qemu-aarch64-static")
    root = folder / "debian"
    if not root.exists():
        require("Debian's Python is fetched by it", "apt-get")
        with tempfile.TemporaryDirectory() as made:
            apt, unpacked = Path(made), Path(made) / "root"
            for kept in ("lists/partial", "archives/partial"):
                (apt / kept).mkdir(parents=True)
            (apt / "status").touch()
            options = [f"-o{setting}" for setting in (
                "APT::Architecture=arm64", "APT::Architectures::=arm64", "APT::Sandbox::User=", f"Dir::State={apt}",
                f"Dir::State::status={apt / 'status'}", f"Dir::Cache={apt}", f"Dir::Log={apt}", "Debug::NoLocking=1")]
            _do("apt-get", *options, "update")
            _do("apt-get", *options, "--yes", "--no-install-recommends", "--download-only", "install", *DEBIAN_PACKAGES)
            for package in (apt / "archives").glob("*.deb"):
                _do("dpkg-deb", "--extract", package, unpacked)
            version = (unpacked / "usr/bin/python3").readlink().name.removeprefix("python").replace(".", "")
            _install(unpacked / "packages", version, "manylinux2014_aarch64", *PACKAGES)
            folder.mkdir(parents=True, exist_ok=True)
            shutil.move(unpacked, root)
    program = (root / "usr/bin/python3").resolve()
    # What starts a second Python, as multiprocessing does, finds this.
    launcher = folder / "python"
    libraries = root / "usr/lib/aarch64-linux-gnu"
    launcher.write_text(f'#!/bin/sh\nexec {qemu} -L {root} -E LD_LIBRARY_PATH={libraries}/blas:{libraries}/lapack '
                        f'-0 {launcher} {program} "$@"\n', encoding="utf-8")
    launcher.chmod(0o755)
    return Python(program.name.removeprefix("python").replace(".", ""), root / "usr/include" / program.name,
                  (str(launcher),), {"PYTHONHOME": str(root / "usr")},
                  (root / "packages", root / "usr/lib/python3/dist-packages"), (root / "usr/include",))


def _windows(folder: Path) -> Python:
    """CPython for Windows, unpacked and not installed."""
    wine = require("apt-get install wine64", "wine64", "/usr/lib/wine/wine64", "wine")
    root = folder / "python"
    version = "".join(WINDOWS.split(".")[:2])
    if not root.exists():
        with tempfile.TemporaryDirectory() as made:
            package = Path(made, "python.zip")
            try:
                urllib.request.urlretrieve(NUGET, package)
            except OSError as error:
                raise OSError(f"{NUGET}: {error}; get it otherwise, and unzip its folder tools as {root}") from None
            zipfile.ZipFile(package).extractall(made)
            _install(Path(made, "tools", "Lib", "site-packages"), version, "win_amd64", *PACKAGES, *WINDOWS_PACKAGES)
            folder.mkdir(parents=True, exist_ok=True)
            shutil.move(Path(made, "tools"), root)
    environment = {"WINEPREFIX": str(folder / "wine"), "WINEDEBUG": "-all", "LC_ALL": "C.UTF-8"}
    return Python(version, root / "include", (wine, str(root / "python.exe")), environment, link_folder=root,
                  executable="Z:" + str(root / "python.exe").replace("/", "\\"), separator=";")
