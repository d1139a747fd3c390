"""Records and positions from files: a file that is too large or no text is refused before it is read."""
import io
import sys
from pathlib import Path

import pytest

from scripts.games.openings import load
from tests.each import each
from tests.faults import refused
from tests.measured import hollow, little_memory
from usi.files import reading
from usi.files.reading import STDIN, read_text_file

GAME = "手合割：平手\n   1 ７六歩(77)\n"


@each("data", [
    *((10_000 * GAME).encode(encoding) for encoding in ("utf-8", "utf-16", "utf-16-le", "utf-16-be", "cp932")),
    *(GAME.encode() + padding for padding in (b"\0", b"\0" * 511, b"\x1a", b"\x1a\0\0")),     # which fill up a file
])
def test_a_text_is_read_whole(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "game.kif"
    path.write_bytes(data)
    with little_memory():       # of a limit of 512 MB nothing is reserved
        assert read_text_file(path) == read_text_file(str(path)) == data


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GAME.encode())))
    assert read_text_file(STDIN).decode() == GAME


def test_a_large_file_is_refused_by_its_beginning_or_its_size(tmp_path: Path) -> None:
    text = GAME.encode("cp932")
    with little_memory(), refused(number=len(text) + len(text) % 2):
        read_text_file(hollow(tmp_path / "large", text))
    with little_memory(), refused(most=512):
        read_text_file(hollow(tmp_path / "larger", text, (512 << 20) + 1))


@pytest.mark.skipif(sys.platform == "win32", reason="needs a device that never ends")
def test_a_device_that_never_ends(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with little_memory(), refused(number=0):
        read_text_file("/dev/zero")
    monkeypatch.setattr(reading, "LARGEST_MB", 1)
    monkeypatch.setattr(reading, "SEEN_FIRST", 1)
    with little_memory(), refused(most=1):
        read_text_file("/dev/zero")


def test_openings_that_are_none(tmp_path: Path) -> None:
    with little_memory(), refused(fault=...):
        load(hollow(tmp_path / "openings"))
