"""Expanded tables shared through a folder: one copy, whole or not there, and nothing lost where none can be kept."""
import os
import stat
import tempfile
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

import pytest

from eval.tables.cache import KEPT, KEPT_S, SUFFIX, cache_folder, path_of, remove_others, shared, tables_in

TABLES = b"tables" * 100


def save(tables: bytes, path: Path) -> None:
    path.write_bytes(tables)


def load(path: Path) -> bytes:
    content = path.read_bytes()
    if content[6:] != TABLES[6:]:
        raise ValueError(f"{path}: not whole")
    return content


def build() -> bytes:
    return TABLES


def never() -> bytes:
    raise AssertionError("made again")


def failing(error: OSError) -> Callable[[bytes, Path], None]:
    def fail(tables: bytes, path: Path) -> None:
        path.write_bytes(tables[:10])
        raise error
    return fail


def test_made_once(tmp_path: Path) -> None:
    assert shared(tmp_path, "a", build, save, load) == TABLES
    assert shared(tmp_path, "a", never, save, load) == TABLES
    assert [path.name for path in tmp_path.iterdir()] == ["a" + SUFFIX]


def test_what_is_stored_is_what_is_used(tmp_path: Path) -> None:
    """Not the copy that was made: that one would be private."""
    marked = shared(tmp_path, "a", build, lambda tables, path: save(b"STORED" + tables[6:], path), load)
    assert marked.startswith(b"STORED")


def test_keys_are_apart(tmp_path: Path) -> None:
    shared(tmp_path, "a", build, save, load)
    with pytest.raises(AssertionError, match="made again"):
        shared(tmp_path, "b", never, save, load)


@pytest.mark.parametrize("content", [b"", TABLES[:-1], b"\0" * len(TABLES)])
def test_file_that_is_not_whole_is_made_again(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ("a" + SUFFIX)).write_bytes(content)
    assert shared(tmp_path, "a", build, save, load) == TABLES
    assert shared(tmp_path, "a", never, save, load) == TABLES
    assert len(list(tmp_path.iterdir())) == 1


def test_full_disk_leaves_private_tables_and_no_rest(tmp_path: Path) -> None:
    assert shared(tmp_path, "a", build, failing(OSError(28, "No space left on device")), load) == TABLES
    assert list(tmp_path.iterdir()) == []


def test_folder_that_is_gone(tmp_path: Path) -> None:
    assert shared(tmp_path / "gone", "a", build, save, load) == TABLES
    assert shared(None, "a", build, save, load) == TABLES


def test_faults_of_the_weights_are_not_hidden(tmp_path: Path) -> None:
    def refuse() -> bytes:
        raise ValueError("overflow")

    with pytest.raises(ValueError, match="overflow"):
        shared(tmp_path, "a", refuse, save, load)


def test_file_system_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    with monkeypatch.context() as patch:
        patch.setattr(os, "link", refuse)
        shared(tmp_path, "a", build, save, load)
    assert shared(tmp_path, "a", never, save, load) == TABLES
    assert len(list(tmp_path.iterdir())) == 1


def test_the_first_of_several_is_mapped_by_all(tmp_path: Path) -> None:
    """Another engine stores its tables while this one makes its own."""
    def overtaken() -> bytes:
        shared(tmp_path, "a", build, lambda tables, path: save(b"FIRST " + tables[6:], path), load)
        return TABLES

    assert shared(tmp_path, "a", overtaken, save, load).startswith(b"FIRST ")


def test_tables_used_last_are_kept(tmp_path: Path) -> None:
    shared(tmp_path, "old0", build, save, load)
    now = (tmp_path / f"old0{SUFFIX}").stat().st_mtime
    for number in range(KEPT):
        shared(tmp_path, f"old{number}", build, save, load)
        os.utime(tmp_path / f"old{number}{SUFFIX}", (now - 99 + number,) * 2)
    shared(tmp_path, "old0", never, save, load)     # used again
    shared(tmp_path, "new", build, save, load)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        name + SUFFIX for name in ["new", "old0", *(f"old{number}" for number in range(2, KEPT))])


def test_tables_that_nobody_has_used_for_long_are_removed(tmp_path: Path) -> None:
    for name, age in ("new", 0), ("recent", KEPT_S - 1000), ("old", KEPT_S + 1000):
        shared(tmp_path, name, build, save, load)
        now = (tmp_path / f"{name}{SUFFIX}").stat().st_mtime
        os.utime(tmp_path / f"{name}{SUFFIX}", (now - age,) * 2)
    shared(tmp_path, "new", never, save, load)
    assert [path.name for path in tables_in(tmp_path)] == [f"recent{SUFFIX}", f"new{SUFFIX}"]


def test_all_others_can_be_removed(tmp_path: Path) -> None:
    for name in "abc":
        shared(tmp_path, name, build, save, load)
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    assert remove_others(tmp_path, path_of(tmp_path, "b")) == 2 * len(TABLES)
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"b{SUFFIX}", "notes.txt"]
    assert remove_others(tmp_path, None) == len(TABLES)


def _do_nothing() -> None:
    pass


def test_rests_of_engines_that_are_no_more_are_removed(tmp_path: Path) -> None:
    ended = get_context("spawn").Process(target=_do_nothing)
    ended.start()
    ended.join()
    dead, alive = tmp_path / f".a{SUFFIX}.{ended.pid}.part", tmp_path / f".a{SUFFIX}.{os.getppid()}.part"
    foreign = tmp_path / "notes.txt"
    for path in (dead, alive, foreign):
        path.write_bytes(b"begun")
    shared(tmp_path, "b", build, save, load)
    assert not dead.exists()
    assert alive.exists()
    assert foreign.exists()


@pytest.fixture
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home and a folder for temporary files of one's own, no XDG_CACHE_HOME."""
    for name in ("home", "tmp"):
        (tmp_path / name).mkdir()
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return tmp_path


def test_folder_below_home(homes: Path) -> None:
    folder = homes / "home" / ".cache" / "gakushi"
    assert cache_folder() == folder
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert cache_folder() == folder


def test_folder_of_xdg(homes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(homes / "xdg"))
    assert cache_folder() == homes / "xdg" / "gakushi"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_folder() == homes / "home" / ".cache" / "gakushi"


def test_folder_that_cannot_be_made_gives_way_to_a_temporary_one(homes: Path) -> None:
    (homes / "home" / ".cache").write_text("a file, no folder")
    assert cache_folder() == homes / "tmp" / f"gakushi-{os.getuid()}"


@pytest.mark.parametrize("mode", [0o770, 0o707])
def test_folder_that_others_can_write_is_not_trusted(homes: Path, mode: int) -> None:
    (homes / "home" / ".cache" / "gakushi").mkdir(parents=True)
    (homes / "home" / ".cache" / "gakushi").chmod(mode)
    assert cache_folder() == homes / "tmp" / f"gakushi-{os.getuid()}"


def test_link_in_place_of_the_temporary_folder_is_not_followed(homes: Path) -> None:
    (homes / "home" / ".cache").write_text("a file, no folder")
    (homes / "elsewhere").mkdir()
    (homes / "tmp" / f"gakushi-{os.getuid()}").symlink_to(homes / "elsewhere")
    assert cache_folder() is None
