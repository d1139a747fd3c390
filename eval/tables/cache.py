"""A cache of expanded tables. All engines of a user map the same file, so they share one copy and start quickly.

A file is named by its key and appears atomically. The folder keeps the KEPT most recently used tables. A file can be
removed while engines have it mapped: on POSIX they keep their copy, on Windows it stays until they end. Without a
writable folder every engine has tables in its own memory.
"""
import contextlib
import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from engine.system.parts import is_running

KEPT = 4            # enough for a match between two tables, and for two older ones
KEPT_S = 14 * 86400     # tables unused for this long are removed; if still needed, they are expanded again
SUFFIX = ".tables"

_PART = re.compile(r"\..+\.([0-9]+)\.part")

T = TypeVar("T")


def cache_folder() -> Path | None:
    """A folder for cached tables that only this user can write; created if necessary. The folder is `gakushi` in
    XDG_CACHE_HOME or in the system's cache folder (~/.cache, on Windows %LOCALAPPDATA%, on macOS ~/Library/Caches),
    else a folder among the temporary files. None if none of these can be used."""
    for candidate in (_user_folder, _temporary_folder):
        with contextlib.suppress(OSError):
            folder = candidate()
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if _is_ours(folder) and os.access(folder, os.W_OK | os.X_OK):
                return folder
    return None


def shared(folder: Path | None, key: str, build: Callable[[], T], save: Callable[[T, Path], None],
           load: Callable[[Path], T]) -> T:
    """The tables of `key`: mapped by `load` if `folder` has them, else made by `build` and stored there by `save`.

    The key is a file name without suffix that identifies everything the tables depend on: the checksum of the weights
    and the layout. If `load` raises OSError or UserError, the file is damaged and made again. Only exceptions of
    `build` are raised; tables that cannot be stored are returned as `build` made them. """
    if folder is None:
        return build()
    path = path_of(folder, key)
    try:
        loaded = load(path)
    except (OSError, ValueError):
        built = build()
        try:
            loaded = _stored(built, path, save, load)
        except (OSError, ValueError):
            return built
    with contextlib.suppress(OSError):
        os.utime(path)              # marks the file as recently used
        _remove_stale(folder, path)
    return loaded


def tables_in(folder: Path) -> list[Path]:
    """The files of the tables in the folder, the most recently used last."""
    return sorted(folder.glob("*" + SUFFIX), key=lambda table: table.stat().st_mtime_ns)


def path_of(folder: Path, key: str) -> Path:
    """The file for the tables of a key."""
    return folder / (key + SUFFIX)


def remove_others(folder: Path, needed: Path | None) -> int:
    """Remove all tables but `needed`, and unfinished files of engines that have ended. Returns the bytes of the tables
    removed. Raises OSError."""
    sizes = {path: path.stat().st_size for path in tables_in(folder) if path != needed}
    for path in _abandoned(folder):
        _remove(path)
    return sum(size for path, size in sizes.items() if _remove(path))


def usual_folder() -> Path:
    """The folder `gakushi` in the system's cache folder, whether it exists or not."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", "")
        return (Path(local) if local else Path("~/AppData/Local").expanduser()) / "gakushi" / "cache"
    return Path("~/Library/Caches" if sys.platform == "darwin" else "~/.cache").expanduser() / "gakushi"


def _user_folder() -> Path:
    home = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG standard says to ignore relative paths.
    return Path(home) / "gakushi" if os.path.isabs(home) else usual_folder()


def _temporary_folder() -> Path:
    """A folder of this user among the temporary files, which all users share except on Windows."""
    if sys.platform == "win32":
        return Path(tempfile.gettempdir()) / "gakushi"
    return Path(tempfile.gettempdir()) / f"gakushi-{os.getuid()}"


def _is_ours(folder: Path) -> bool:
    """Whether only this user can write to the folder. This matters because files in the folder are trusted, and other
    users can create folders in /tmp."""
    status = folder.lstat()
    if sys.platform == "win32":         # on Windows access lists protect a user's folder, and modes do not show them
        return stat.S_ISDIR(status.st_mode)
    return (stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
            and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _stored(built: T, path: Path, save: Callable[[T, Path], None], load: Callable[[Path], T]) -> T:
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        save(built, part)
        with part.open("rb+") as written:
            os.fsync(written.fileno())      # else a power cut could leave a file of zeros
        try:
            _publish(part, path)
        except OSError:
            try:
                return load(path)
            except (OSError, ValueError):   # no file, because links are not supported, or a damaged one
                part.replace(path)
        return load(path)
    finally:
        part.unlink(missing_ok=True)


def _publish(part: Path, path: Path) -> None:
    """Give a file its final name; raises OSError if that exists. So engines that start together all map the file of the
    first."""
    if sys.platform == "win32":
        part.rename(path)       # on Windows this fails if the name exists; a link to a mapped file could not be removed
    else:
        os.link(part, path)


def _remove_stale(folder: Path, used: Path) -> None:
    """Remove all but the KEPT most recently used tables, tables unused for KEPT_S, and unfinished files."""
    tables, now = tables_in(folder), used.stat().st_mtime       # `used` has just been marked as used
    unused = [path for path in tables[-KEPT:] if now - path.stat().st_mtime > KEPT_S]
    for path in [*tables[:-KEPT], *unused, *_abandoned(folder)]:
        _remove(path)


def _remove(path: Path) -> bool:
    """Remove a file; False if Windows refuses because a running engine has it mapped. Raises OSError."""
    try:
        path.unlink(missing_ok=True)
    except PermissionError:
        if sys.platform != "win32":
            raise
        return False
    return True


def _abandoned(folder: Path) -> list[Path]:
    """Unfinished files of engines that have ended."""
    parts = [(path, _PART.fullmatch(path.name)) for path in folder.iterdir()]
    return [path for path, match in parts if match and not is_running(int(match[1]))]

