"""Pythons of other systems, fetched from Debian and PyPI into build/, and what runs them here."""
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scripts.platforms.targets import DATA, ROOT, Target, missing

DEBIAN_PACKAGES = ("python3-minimal", "libpython3-stdlib", "libpython3-dev", "python3-numpy")
PACKAGES = ("click", "pytest", "rsshogi")       # from PyPI
WINDOWS_PYTHON = "panda3d"      # which brings CPython's own DLL and modules along, for what is packed up with it
WINDOWS_PACKAGES = ("numpy<2", "colorama")      # Wine 8 has not all that NumPy 2 calls
WINE = ("wine64", "/usr/lib/wine/wine64", "wine")
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
LEFT_OUT = ("test", "idlelib", "tkinter", "turtledemo", "ensurepip", "lib2to3", "lib-dynload", "site-packages",
            "config-*", "__pycache__")


@dataclass(frozen=True)
class Python:
    """A Python of another system, as it is compiled for and run here."""

    version: str                    # in the names of modules: 311
    include: Path                   # a folder of its C headers
    command: Sequence[str]          # before Python's own arguments
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

    def run(self, arguments: Sequence[str], first: Path) -> "subprocess.CompletedProcess[str]":
        """Run it to its end. Wine has no Python begin whose stderr is a file."""
        return subprocess.run([*self.command, *arguments], env=self.variables(first), encoding=self.encoding,
                              errors="replace", cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)


def python_for(target: Target) -> Python:
    """The one to compile for a target against, fetched if need be. OSError if something is missing."""
    return {"aarch64": _debian, "windows": _windows}.get(target.name, _headers_of_ours)(target)


def _headers_of_ours(target: Target) -> Python:
    """For what is only compiled: of the headers hardly anything differs."""
    return Python(f"{sys.version_info[0]}{sys.version_info[1]}", Path(sysconfig.get_path("include")), (), {})


def _do(*command: str | Path) -> None:
    """Run a tool of the system; OSError with what it said if it fails."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"{' '.join(map(str, command))}: {done.stderr.strip() or done.stdout.strip()}")


def install(folder: Path, version: str, platform: str, *packages: str | Path) -> None:
    """Packages for another system, those of PyPI by their names. OSError if they cannot be had."""
    _do(*PIP, "install", "--no-compile", "--platform", platform, "--python-version", version, "--only-binary", ":all:",
        "--target", folder, *packages)


def _require(program: str, remedy: str) -> str:
    found = shutil.which(program)
    if not found:
        raise missing(program, remedy)
    return found


# -- ARM, on Linux -----------------------------------------------------------------------------------------------------

def _debian(target: Target) -> Python:
    """Debian's, unpacked in a folder and not installed."""
    qemu = _require("qemu-aarch64-static", "apt-get install qemu-user-static")
    root = target.folder / "debian"
    if not root.exists():
        _require("apt-get", "Debian's Python is fetched by it")
        with tempfile.TemporaryDirectory() as made:
            apt, unpacked = Path(made), Path(made) / "root"
            for folder in ("lists/partial", "archives/partial"):
                (apt / folder).mkdir(parents=True)
            (apt / "status").touch()
            options = [f"-o{setting}" for setting in (
                "APT::Architecture=arm64", "APT::Architectures::=arm64", "APT::Sandbox::User=", f"Dir::State={apt}",
                f"Dir::State::status={apt / 'status'}", f"Dir::Cache={apt}", f"Dir::Log={apt}", "Debug::NoLocking=1")]
            _do("apt-get", *options, "update")
            _do("apt-get", *options, "--yes", "--no-install-recommends", "--download-only", "install", *DEBIAN_PACKAGES)
            for package in (apt / "archives").glob("*.deb"):
                _do("dpkg-deb", "--extract", package, unpacked)
            version = (unpacked / "usr/bin/python3").readlink().name.removeprefix("python").replace(".", "")
            install(unpacked / "packages", version, "manylinux2014_aarch64", *PACKAGES)
            target.folder.mkdir(parents=True, exist_ok=True)
            shutil.move(unpacked, root)
    program = (root / "usr/bin/python3").resolve()
    # What starts a second Python, as multiprocessing does, finds this.
    launcher = target.folder / "python"
    libraries = root / "usr/lib/aarch64-linux-gnu"
    launcher.write_text(f'#!/bin/sh\nexec {qemu} -L {root} -E LD_LIBRARY_PATH={libraries}/blas:{libraries}/lapack '
                        f'-0 {launcher} {program} "$@"\n', encoding="utf-8")
    launcher.chmod(0o755)
    return Python(program.name.removeprefix("python").replace(".", ""), root / "usr/include" / program.name,
                  (str(launcher),), {"PYTHONHOME": str(root / "usr")},
                  (root / "packages", root / "usr/lib/python3/dist-packages"), (root / "usr/include",))


# -- Windows -----------------------------------------------------------------------------------------------------------

def _windows(target: Target) -> Python:
    """CPython's DLL and compiled modules out of a package on PyPI, the rest of its library that of this Python, which
    has to be of the same version."""
    wine = next(filter(None, map(shutil.which, WINE)), None)
    if not wine:
        raise missing("wine", "apt-get install wine64")
    version = f"{sys.version_info[0]}{sys.version_info[1]}"
    root = target.folder / "python"
    if not root.exists():
        with tempfile.TemporaryDirectory() as made:
            unpacked = Path(made) / "python"
            _make_windows_python(target, unpacked, Path(made), version)
            target.folder.mkdir(parents=True, exist_ok=True)
            shutil.move(unpacked, root)
    environment = {"WINEPREFIX": str(target.folder / "wine"), "WINEDEBUG": "-all", "LC_ALL": "C.UTF-8"}
    return Python(version, root / "include", (wine, str(root / "python.exe")), environment, link_folder=root,
                  executable="Z:" + str(root / "python.exe").replace("/", "\\"), separator=";")


def _make_windows_python(target: Target, root: Path, fetched: Path, version: str) -> None:
    _do(*PIP, "download", "--no-deps", "--platform", "win_amd64", "--python-version", version, "--only-binary", ":all:",
        "--dest", fetched, WINDOWS_PYTHON)
    wheel, = fetched.glob("*.whl")
    shutil.unpack_archive(wheel, fetched / "wheel", "zip")
    shutil.copytree(sysconfig.get_path("stdlib"), root / "Lib", ignore=shutil.ignore_patterns(*LEFT_OUT))
    shutil.copytree(sysconfig.get_path("include"), root / "include")
    shutil.copy(DATA / "pyconfig.h", root / "include")
    (root / "DLLs").mkdir()
    for file in (fetched / "wheel" / "deploy_libs").iterdir():
        if not file.name.startswith("api-ms-win"):      # the C library's parts, which Wine has
            shutil.copy(file, root if file.name.lower().startswith(("python", "vcruntime")) else root / "DLLs")
    install(root / "Lib" / "site-packages", version, "win_amd64", *PACKAGES, *WINDOWS_PACKAGES)
    _do(target.compiler, "-municode", "-O2", DATA / "python.c", f"-L{root}", f"-lpython{version}", "-o",
        root / "python.exe")


def in_japanese(target: Target, python: Python) -> Python:
    """The same in a Windows of Japan, whose letters are those of CP932: Wine goes by the language of its own system."""
    _require("localedef", "it belongs to the C library")
    language = target.folder / "languages" / "ja_JP.UTF-8"
    if not language.exists():
        if not Path("/usr/share/i18n/locales/ja_JP").exists():
            raise missing("the description of Japanese", "apt-get install locales")
        language.parent.mkdir(exist_ok=True)
        _do("localedef", "-i", "ja_JP", "-f", "UTF-8", language)
    environment = {**python.environment, "LC_ALL": language.name, "LOCPATH": str(language.parent)}
    return replace(python, environment=environment, encoding="cp932")
