"""Expanded tables shared through a folder: one copy, whole or not there, and nothing lost where none can be kept."""
import os
import stat
import tempfile
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


def test_made_once_for_each_key(tmp_path: Path) -> None:
    assert shared(tmp_path, "a", build, save, load) == TABLES
    assert shared(tmp_path, "a", never, save, load) == TABLES
    assert [path.name for path in tmp_path.iterdir()] == ["a" + SUFFIX]
    with pytest.raises(AssertionError, match="made again"):     # a fault in making them is not hidden
        shared(tmp_path, "b", never, save, load)


def test_where_none_can_be_kept_they_are_private_and_nothing_is_left(tmp_path: Path) -> None:
    def fail(tables: bytes, path: Path) -> None:
        path.write_bytes(tables[:10])
        raise OSError(28, "No space left on device")

    assert shared(tmp_path, "a", build, fail, load) == TABLES
    assert list(tmp_path.iterdir()) == []
    assert shared(tmp_path / "gone", "a", build, save, load) == TABLES
    assert shared(None, "a", build, save, load) == TABLES


def test_what_is_stored_is_what_is_used(tmp_path: Path) -> None:
    """The engine maps the stored file. Its own copy of the tables would be private memory."""
    marked = shared(tmp_path, "a", build, lambda tables, path: save(b"STORED" + tables[6:], path), load)
    assert marked.startswith(b"STORED")


@pytest.mark.parametrize("content", [b"", TABLES[:-1], b"\0" * len(TABLES)])
def test_file_that_is_not_whole_is_made_again(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ("a" + SUFFIX)).write_bytes(content)
    assert shared(tmp_path, "a", build, save, load) == TABLES
    assert shared(tmp_path, "a", never, save, load) == TABLES
    assert len(list(tmp_path.iterdir())) == 1


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


def test_leftovers_of_ended_engines_are_removed(tmp_path: Path) -> None:
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
    """A home folder and a folder for temporary files, without XDG_CACHE_HOME."""
    for name in ("home", "tmp"):
        (tmp_path / name).mkdir()
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return tmp_path


def test_folder_below_home_or_of_xdg(homes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = homes / "home" / ".cache" / "gakushi"
    for _ in range(2):
        assert cache_folder() == folder
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for name, expected in ((str(homes / "xdg"), homes / "xdg" / "gakushi"), ("relative", folder)):
        monkeypatch.setenv("XDG_CACHE_HOME", name)
        assert cache_folder() == expected


@pytest.mark.parametrize("mode", [0o770, 0o707, None])
def test_folder_that_others_can_write_or_that_cannot_be_made_gives_way_to_a_temporary_one(homes: Path,
                                                                                          mode: int | None) -> None:
    cache, temporary = homes / "home" / ".cache", homes / "tmp" / f"gakushi-{os.getuid()}"
    if mode is None:
        cache.write_text("a file, no folder")
    else:
        (cache / "gakushi").mkdir(parents=True)
        (cache / "gakushi").chmod(mode)
    assert cache_folder() == temporary
    temporary.rmdir()
    (homes / "elsewhere").mkdir()
    temporary.symlink_to(homes / "elsewhere")
    assert cache_folder() is None, "a link is not followed"
