"""The command that starts the server."""
import sys
from pathlib import Path

import pytest

from tests.usi.commands.running import invoke
from usi.serve.memory import Memory


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("uvicorn", "starlette", "usi.serve.server"):
        monkeypatch.setitem(sys.modules, name, None)
    done = invoke("serve", "--no-browser", status=1)
    assert done.output == ('Error: the board in the browser needs Starlette and uvicorn: pip install "gakushi[web]"\n')
    monkeypatch.setattr(sys, "frozen", True, raising=False)         # a folder with Python inside, which has no pip
    assert invoke("serve", "--no-browser", status=1).output == (
        "Error: the board in the browser needs Starlette and uvicorn: this folder cannot be added to; install Python "
        '3.11 or later, then run pip install "gakushi[web]", and use that engine\n')
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    assert "Python 3.11 以降を入れて" in invoke("serve", "--no-browser", status=1).output


def test_a_second_server_names_the_page_of_the_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    memory = Memory(tmp_path / "gakushi" / "serve")
    with memory.held():
        memory.write("address", {"address": "http://127.0.0.1:5/x/"})
        done = invoke("serve", "--no-browser", status=1)
    assert done.output == "Error: engine serve is running already; open its page, http://127.0.0.1:5/x/, or end it\n"
    assert memory.folder.stat().st_mode & 0o077 == 0


def test_a_damaged_memory_counts_as_none(tmp_path: Path) -> None:
    memory = Memory(tmp_path)
    for data in (b"", b"{", b"[1]", b"\xff", b"[" * 100_000):
        (tmp_path / "current.json").write_bytes(data)
        assert memory.read("current") is None
    memory.write("current", {"game": "x"})
    assert memory.read("current") == {"game": "x"}
