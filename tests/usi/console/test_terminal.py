"""Output on narrow terminals and on terminals with few abilities."""
import re

import pytest

from tests.each import each
from tests.usi.commands.running import on_a_terminal
from usi.console import progress
from usi.words.wording import columns_of, fold

LINE = "   4  △８四歩(83)            +25    51%   2%    41     ▲７八金(69) △３二金(41) △同　銀(31) 8h2b+ ▲４八金(49)"


@each("width", range(20, 130, 7))
def test_lines_are_folded_between_words(width: int) -> None:
    lines = fold(LINE, width, 6)
    assert all(columns_of(line) <= width for line in lines)
    assert [word for line in lines for word in line.split(" ") if word] == [word for word in LINE.split(" ") if word]
    assert (len(lines) == 1) == (columns_of(LINE) <= width)
    assert all(line.startswith("      ") and not line.startswith("       ") for line in lines[1:])


def test_the_time_left_follows_from_what_is_done() -> None:
    now = 100.0
    course = progress.Progress(14, "games", 10, lambda: now)      # ten were there before
    assert course.left(10) == ""
    now = 110.0
    assert course.left(11) == ", 30 s left"
    assert course.line(11, "1-0") == "11 of 14 games, 1-0, 0.1/s, 30 s left"
    now = 400.0
    assert course.left(12) == ", 5 min left"
    assert course.line(14) == "14 of 14 games"
    assert progress.Progress(None, "positions", now=lambda: 0).line(0) == "0 positions"


def test_a_log_gets_a_line_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    now = 0
    course = progress.Progress(100, "games", now=lambda: now)
    for now in range(0, 150, 10):
        course.tell(now // 2)
    assert capsys.readouterr().err.splitlines() == [
        "30 of 100 games, 0.5/s, 2 min left", "60 of 100 games, 0.5/s, 80 s left"]


@pytest.mark.parametrize(("arguments", "given"), [
    (["analyze", "-", "--depth", "6", "--hash", "1", "--eval-file", "material"], "7g7f 3c3d 8h2b+ 3a2b"),
    *(pytest.param(arguments, given, marks=pytest.mark.slow) for arguments, given in [
        (["eval"], ""),
        (["bench", "--depth", "1", "--eval-file", "material"], ""),
        (["ttstats", "--depth", "2", "--eval-file", "material"], ""),
        (["play", "--depth", "1", "--eval-file", "material", "--hash", "1"], "moves\nhint\nhelp\nhello\nquit\n"),
    ]),
])
def test_a_dumb_terminal_of_sixty_columns(arguments: list[str], given: str) -> None:
    text = "".join(on_a_terminal(*arguments, given=given))
    assert not re.search("[\x1b\r]", text)
    lines = [line.rpartition("] > ")[2] for line in text.splitlines()]      # behind the prompt
    assert all(columns_of(line) <= 60 or " " not in line.strip() for line in lines), lines
    if arguments[0] == "analyze":
        moves = re.findall("[▲△][^ ]+", "\n".join(lines).replace("\n", " "))
        assert len(moves) >= 4      # the game's move: a row of the table has only the moves of its line that fit
        assert [move for move in moves if not re.fullmatch("[▲△].*([)]|打)", move)] == []


def test_a_dumb_terminal_gets_no_progress(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    for name, shown in (("dumb", ""), ("xterm", "\rdepth 3\x1b[K")):
        monkeypatch.setenv("TERM", name)
        progress.progress("depth 3")
        assert capsys.readouterr().err == shown
    monkeypatch.setenv("COLUMNS", "12")
    progress.progress("depth 3, 5000 nodes, 17 ms")
    assert capsys.readouterr().err == "\rdepth 3,\x1b[K"


@each(("variables", "coloured"), [
    ({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False),
])
def test_marks_have_colours_where_the_terminal_has_them(variables: dict[str, str], coloured: bool) -> None:
    text, _ = on_a_terminal("analyze", "-", "--depth", "4", "--hash", "1", "--eval-file", "material",
                            "--mate-nodes", "0", given="7g7f 3c3d 8h3c+ 2b3c", columns=100, variables=variables)
    assert ("\x1b[91m??\x1b[0m" in text) == coloured
    assert coloured or "\x1b[9" not in text
    assert "??" in text
