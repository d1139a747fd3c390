"""Tables expanded once and mapped by every engine of a user, so that many engines share one copy and start at once.

A table's file is named by its key and appears in the folder whole or not at all. The folder holds the KEPT tables
used last, as long as they are used; engines that have mapped a table which is removed keep it, as POSIX has it, or it
cannot be removed before they end, as Windows has it. Where no folder can be written everything works, in memory of
one's own.
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

KEPT = 4            # a match of two tables, and those of the day before
KEPT_S = 14 * 86400     # after so long without use no installed version needs it, or it may well expand it once more
SUFFIX = ".tables"

_PART = re.compile(r"\..+\.([0-9]+)\.part")

T = TypeVar("T")


def cache_folder() -> Path | None:
    """A folder for cached tables that this user alone can write, made if need be: `gakushi` in XDG_CACHE_HOME or in the
    system's place for such files (~/.cache, on Windows %LOCALAPPDATA%, on macOS ~/Library/Caches), or else one in the
    folder for temporary files. None if there can be none."""
    for candidate in (_user_folder, _temporary_folder):
        with contextlib.suppress(OSError):
            folder = candidate()
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if _is_ours(folder) and os.access(folder, os.W_OK | os.X_OK):
                return folder
    return None


def shared(folder: Path | None, key: str, build: Callable[[], T], save: Callable[[T, Path], None],
           load: Callable[[Path], T]) -> T:
    """The tables of `key`: mapped by `load` if they lie in `folder`, else made by `build` and left there by `save`.

    The key is a file's name without its ending, and stands for all that the tables depend on: the checksum of the
    weights and the layout. `load` raises OSError or UserError if a file is not whole, and it is then made again.
    Nothing is raised but what `build` raises: if the tables cannot be stored, they are returned as `build` made them.
    """
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
        os.utime(path)              # the tables used last are kept
        _remove_stale(folder, path)
    return loaded


def tables_in(folder: Path) -> list[Path]:
    """The files of the tables there, those used last at the end."""
    return sorted(folder.glob("*" + SUFFIX), key=lambda table: table.stat().st_mtime_ns)


def path_of(folder: Path, key: str) -> Path:
    """Where the tables of a key lie, if they do."""
    return folder / (key + SUFFIX)


def remove_others(folder: Path, needed: Path | None) -> int:
    """Remove all tables but one, and what engines that are no more began to write. Returns the bytes of the tables that
    are gone; OSError."""
    sizes = {path: path.stat().st_size for path in tables_in(folder) if path != needed}
    for path in _abandoned(folder):
        _remove(path)
    return sum(size for path, size in sizes.items() if _remove(path))


def usual_folder() -> Path:
    """Where the system has such files, with or without one of ours there."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", "")
        return (Path(local) if local else Path("~/AppData/Local").expanduser()) / "gakushi" / "cache"
    return Path("~/Library/Caches" if sys.platform == "darwin" else "~/.cache").expanduser() / "gakushi"


def _user_folder() -> Path:
    home = os.environ.get("XDG_CACHE_HOME", "")
    # The standard has paths that are not absolute ignored.
    return Path(home) / "gakushi" if os.path.isabs(home) else usual_folder()


def _temporary_folder() -> Path:
    """One of our own in it: on Windows each user has a folder for such files, elsewhere it is everybody's."""
    if sys.platform == "win32":
        return Path(tempfile.gettempdir()) / "gakushi"
    return Path(tempfile.gettempdir()) / f"gakushi-{os.getuid()}"


def _is_ours(folder: Path) -> bool:
    """Whether nobody else can write there: what lies there is mapped and trusted, and /tmp is everybody's."""
    status = folder.lstat()
    if sys.platform == "win32":         # users' folders are their own by lists of rights, of which modes tell nothing
        return stat.S_ISDIR(status.st_mode)
    return (stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
            and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _stored(built: T, path: Path, save: Callable[[T, Path], None], load: Callable[[Path], T]) -> T:
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        save(built, part)
        with part.open("rb+") as written:
            os.fsync(written.fileno())      # or a power cut could leave a file of zeros
        try:
            _publish(part, path)
        except OSError:
            try:
                return load(path)
            except (OSError, ValueError):   # there is none, for want of links, or it is not whole
                part.replace(path)
        return load(path)
    finally:
        part.unlink(missing_ok=True)


def _publish(part: Path, path: Path) -> None:
    """Give a file its name if nothing has it, else OSError: of engines that start at once, all map the first one's."""
    if sys.platform == "win32":
        part.rename(path)       # which fails there where POSIX's would replace; and a link to a mapped file would stay
    else:
        os.link(part, path)


def _remove_stale(folder: Path, used: Path) -> None:
    """Remove all but the KEPT tables used last, what nobody has used for long, and what was begun and given up."""
    tables, now = tables_in(folder), used.stat().st_mtime       # it was marked as used just now
    unused = [path for path in tables[-KEPT:] if now - path.stat().st_mtime > KEPT_S]
    for path in [*tables[:-KEPT], *unused, *_abandoned(folder)]:
        _remove(path)


def _remove(path: Path) -> bool:
    """Remove a file; False if Windows will not, since an engine that runs has mapped it. OSError."""
    try:
        path.unlink(missing_ok=True)
    except PermissionError:
        if sys.platform != "win32":
            raise
        return False
    return True


def _abandoned(folder: Path) -> list[Path]:
    """What engines that are no more began to write."""
    parts = [(path, _PART.fullmatch(path.name)) for path in folder.iterdir()]
    return [path for path, match in parts if match and not is_running(int(match[1]))]

