"""Tables expanded once and mapped by every engine of a user, so that many engines share one copy and start at once.

A table's file is named by its key and appears in the folder whole or not at all. The folder holds the KEPT tables
used last, as long as they are used; engines that have mapped a table which is removed keep it, as POSIX has it. Where
no folder can be written everything works, in memory of one's own.
"""
import contextlib
import os
import re
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

KEPT = 4            # a match of two tables, and those of the day before
KEPT_S = 14 * 86400     # after so long without use no installed version needs it, or it may well expand it once more
SUFFIX = ".tables"

_PART = re.compile(r"\..+\.([0-9]+)\.part")

T = TypeVar("T")


def cache_folder() -> Path | None:
    """A folder for cached tables that this user alone can write, made if need be: `gakushi` in XDG_CACHE_HOME or in
    ~/.cache, or else one in the folder for temporary files. None if there can be none."""
    for candidate in (_user_folder, _temporary_folder):
        with contextlib.suppress(OSError):
            folder = candidate()
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # What lies there is mapped and trusted: somebody else's folder in /tmp must not be used.
            status = folder.lstat()
            if (stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
                    and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and os.access(folder, os.W_OK | os.X_OK)):
                return folder
    return None


def shared(folder: Path | None, key: str, build: Callable[[], T], save: Callable[[T, Path], None],
           load: Callable[[Path], T]) -> T:
    """The tables of `key`: mapped by `load` if they lie in `folder`, else made by `build` and left there by `save`.

    The key is a file's name without its ending, and stands for all that the tables depend on: the checksum of the
    weights and the layout. `load` raises OSError or ValueError if a file is not whole, and it is then made again.
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
    """Remove all tables but one, and what engines that are no more began to write. Returns the bytes; OSError."""
    tables = [path for path in tables_in(folder) if path != needed]
    size = sum(path.stat().st_size for path in tables)
    for path in [*tables, *_abandoned(folder)]:
        path.unlink(missing_ok=True)
    return size


def _user_folder() -> Path:
    home = os.environ.get("XDG_CACHE_HOME", "")
    # The standard has paths that are not absolute ignored.
    base = Path(home) if os.path.isabs(home) else Path("~/.cache").expanduser()
    return base / "gakushi"


def _temporary_folder() -> Path:
    return Path(tempfile.gettempdir()) / f"gakushi-{os.getuid()}"


def _stored(built: T, path: Path, save: Callable[[T, Path], None], load: Callable[[Path], T]) -> T:
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        save(built, part)
        with part.open("rb") as written:
            os.fsync(written.fileno())      # or a power cut could leave a file of zeros
        try:
            os.link(part, path)             # of engines that start at once, all map the first one's file
        except OSError:
            try:
                return load(path)
            except (OSError, ValueError):   # there is none, for want of links, or it is not whole
                part.replace(path)
        return load(path)
    finally:
        part.unlink(missing_ok=True)


def _remove_stale(folder: Path, used: Path) -> None:
    """Remove all but the KEPT tables used last, what nobody has used for long, and what was begun and given up."""
    tables, now = tables_in(folder), used.stat().st_mtime       # it was marked as used just now
    unused = [path for path in tables[-KEPT:] if now - path.stat().st_mtime > KEPT_S]
    for path in [*tables[:-KEPT], *unused, *_abandoned(folder)]:
        path.unlink(missing_ok=True)


def _abandoned(folder: Path) -> list[Path]:
    """What engines that are no more began to write."""
    parts = [(path, _PART.fullmatch(path.name)) for path in folder.iterdir()]
    return [path for path, match in parts if match and not _runs(int(match[1]))]


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:                 # somebody else's, but it runs
        pass
    return True
