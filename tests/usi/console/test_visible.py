"""Nothing from outside reaches a terminal as a command: in all commands of `engine` and of scripts."""
import io
import json
import os
import re
from importlib import import_module
from pathlib import Path

import click
import pytest

from engine.records.csa import format_csa
from engine.records.record import GameRecord
from scripts import label, match
from tests.each import each
from tests.processes import ROOT
from tests.usi.commands.running import Screen
from usi.cli import COMMANDS, main
from usi.console.streams import guarded_streams
from usi.words.visible import visible

NAME = "a\x1b]0;title\x07\x1b[2Jb\u202egnp.\x9b31m\u2066c\x7f"
RAW = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
SCRIPTS = sorted(path.stem for path in (ROOT / "scripts").glob("*.py") if path.stem != "__init__")


def shown(command: click.Command, *arguments: str, term: str = "dumb") -> str:
    """The output of a command on a terminal, on both streams, however it ends."""
    screens = [Screen(io.BytesIO(), encoding="utf-8", write_through=True, newline="") for _ in range(2)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERM", term)
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"quit\n"), encoding="utf-8"))
        for name, screen in zip(("stdout", "stderr"), screens, strict=True):
            patch.setattr(f"sys.{name}", screen)
        with pytest.raises(SystemExit):
            command.main(list(arguments), prog_name="command")
    return "".join(screen.buffer.getvalue().decode() for screen in screens)     # type: ignore[attr-defined]


@each("command", sorted(COMMANDS))
def test_the_name_of_a_file_cannot_command_the_terminal(command: str, tmp_path: Path,
                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command is given a name that is no file, then a file that is no record; or it refuses the argument. Its
    message shows the name without control characters."""
    monkeypatch.chdir(tmp_path)
    Path(f"{NAME}.kif").write_text("no record", encoding="utf-8")
    words = {"book": ["show"], "serve": ["--port"], "convert": ["a.kif"], "diagram": ["--out"]}.get(command, [])
    for name in (NAME, f"{NAME}.kif"):
        text = shown(main, command, *words, name)
        assert not RAW.search(text)
        assert visible(NAME) in text or ascii(NAME)[1:-1] in text


@each("script", SCRIPTS)
def test_arguments_of_scripts_cannot_command_the_terminal(script: str, tmp_path: Path,
                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    command = getattr(import_module(f"scripts.{script}"), "main", None)
    if not isinstance(command, click.Command):      # of scripts, without arguments
        return
    monkeypatch.chdir(tmp_path)
    Path(NAME).write_text("neither a folder nor of any form", encoding="utf-8")
    for words in ([NAME], [f"--{NAME}"]):
        assert not RAW.search(shown(command, *words))


@each("term", ["dumb", "xterm"])
def test_text_of_a_record_cannot_command_the_terminal(term: str, tmp_path: Path,
                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    record = GameRecord(moves=["7g7f", "3c3d", "8h2b+"], names=(NAME, NAME), headers={"EVENT": NAME, "SITE": NAME},
                        comments={1: NAME, 2: NAME})
    path = tmp_path / "game.csa"
    path.write_text(format_csa(record).replace("$EVENT:", f"$EVENT:{NAME}"), encoding="utf-8")
    quick = ["--depth", "1", "--hash", "1", "--eval-file", "material"]
    for arguments in (["analyze", *quick, str(path)], ["convert", str(path), str(tmp_path / "game.kifu")],
                      ["eval", "--eval-file", "material", str(path)], ["play", *quick, str(path)],
                      ["analyze", *quick, "--html", str(tmp_path), str(tmp_path)]):
        text = shown(main, *arguments, term=term)
        assert not RAW.search(re.sub(r"\r|\x1b\[K", "", text) if term == "xterm" else text), arguments


BROKEN = "a\nforged: b"
QUICK = ["--depth", "1", "--hash", "1", "--eval-file", "material"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
@each(("command", "arguments"), [
    (main, ["analyze", BROKEN]), (main, ["analyze", *QUICK, "games"]), (main, ["convert", f"{BROKEN}.kif", "b.csa"]),
    (main, ["convert", f"{BROKEN}.csa", f"{BROKEN}.kif"]), (main, ["mate", f"{BROKEN}.csa"]), (main, ["perft", BROKEN]),
    (main, ["mate", f"{BROKEN}.kif"]), (main, ["book", "show", f"{BROKEN}.kif"]),
    (main, ["book", "build", "games", "--out", f"{BROKEN}.db"]), (main, [BROKEN]), (main, ["diagram", "-o", BROKEN]),
    (label.main, [*QUICK[:2], *QUICK[4:], "--out", "c.psv", f"{BROKEN}.psv"]),
    (match.main, ["--games", "2", "--nodes", "9", "--out", f"{BROKEN}.kif"]), (match.main, [f"--{BROKEN}"]),
])
def test_a_name_with_a_line_break_cannot_pass_for_a_message(command: click.Command, arguments: list[str],
                                                            tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games").mkdir(exist_ok=True)
    for folder in ("", "games/"):
        Path(f"{folder}{BROKEN}.kif").write_text("no record", encoding="utf-8")
        Path(f"{folder}{BROKEN}.csa").write_text(format_csa(GameRecord(moves=["7g7f", "3c3d"])), encoding="utf-8")
    Path(f"{BROKEN}.psv").write_bytes(bytes(50))
    lines = shown(command, *arguments).splitlines()
    assert any("\\u000aforged" in line or "\\nforged" in line for line in lines), lines
    assert not any(line.startswith("forged") for line in lines), lines


def test_an_escaped_text_is_the_same_in_json() -> None:
    assert json.loads(visible(json.dumps(NAME, ensure_ascii=False))) == NAME
    assert visible("▲７六歩\tとても\n") == "▲７六歩\tとても\n"
    assert visible("\r\u2028") == "\\u000d\\u2028"


def test_streams_are_as_before_afterwards(capsys: pytest.CaptureFixture[str]) -> None:
    import sys

    before = sys.stdout
    with guarded_streams():
        print("\x1b[2J", "½")
        sys.stdout.writelines(["\x07"])
        assert not hasattr(sys.stdout, "buffer")
        assert sys.stdout.isatty() is False
    assert sys.stdout is before
    assert capsys.readouterr().out == "\\u001b[2J ½\n\\u0007"
