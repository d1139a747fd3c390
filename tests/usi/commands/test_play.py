"""`engine play`: a whole game typed into it, in this process and over pipes."""
import re
import signal
import threading
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

import usi.commands.play.command
import usi.commands.play.table
import usi.console.terminal
from engine import Position
from engine.records.files import read_record
from engine.records.formats import SUFFIXES
from engine.records.record import GameRecord
from search import Limits, Result, Searcher, Settings
from tests.each import each
from tests.usi.commands.running import invoke, on_a_terminal
from usi.cli import main
from usi.commands.play.game import GameClock, GameInPlay
from usi.commands.records import write_game

RECORDS = Path(__file__).parents[2] / "engine" / "data" / "records"
QUICK = ("--depth", "1", "--hash", "1", "--eval-file", "material")
MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"


def play(*lines: str, options: tuple[str, ...] = (), status: int = 0) -> str:
    return invoke("play", *QUICK, *options, status=status, given="".join(line + "\n" for line in lines)).output


def test_what_is_wrong_is_said_and_the_game_goes_on(tmp_path: Path) -> None:
    saved = tmp_path / "game.csa"
    output = play("hello", "7776FU", "declare", "save", "save x.txt", f"save {saved}", "quit")
    assert "'hello' is neither a move nor a command" in output
    assert "cannot declare a win: the king is not in the far three ranks" in output
    assert "save needs the name of a file" in output
    assert "not saved: 'x.txt' does not end in .kif, .kifu, .ki2, .ki2u, .csa, .jkf, .pgn, .usi or .sfen" in output
    assert read_record(saved).moves[0] == "7g7f"


def test_a_typed_name_may_begin_at_home_and_makes_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    output = play("76歩", "save ~/one.kifu", "保存 ~/nowhere/two.kifu", "quit", "~/three.pgn")
    assert f"saved to {tmp_path / 'one.kifu'}" in output
    assert f"not saved: there is no folder {tmp_path / 'nowhere'}; make it, or name another" in output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.kifu"]
    output = play("76歩", "quit", "nowhere/two.kifu", "~/three.pgn")
    assert "there is no folder nowhere" in output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.kifu", "three.pgn"]
    assert read_record(tmp_path / "three.pgn").moves[0] == "7g7f"


@each("suffix", SUFFIXES)
def test_every_format_is_saved(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"game{suffix}"
    output = play("76歩", "quit", options=("--save", str(path)))
    assert read_record(path).moves[0] == "7g7f"
    assert (f"{path}: not all " in output) == (not {"times", "names", "headers"} <= SUFFIXES[suffix].holds)


def test_undo_takes_back_a_move_and_its_answer(tmp_path: Path) -> None:
    """Also in Japanese, which is understood whatever the language."""
    saved = tmp_path / "game.kifu"
    output = play("７六歩", "待った", "undo", "棋譜", "2g2f", f"save {saved}")
    assert "there is no move of yours to take back" in output
    assert "手合割：平手" in output
    assert read_record(saved).moves[0] == "2g2f"
    assert len(read_record(saved).moves) == 2


def test_a_position_keeps_the_moves_that_led_to_it(tmp_path: Path) -> None:
    saved = tmp_path / "game.kifu"
    play(f"save {saved}", "quit", options=("--sfen", "startpos moves 7g7f 3c3d"))
    record = read_record(saved)
    assert (record.initial_sfen, record.moves) == (Position().sfen, ["7g7f", "3c3d"])


@pytest.mark.parametrize(("name", "options", "line", "clock"), [
    ("game.kifu", ("--time", "10", "--byoyomi", "30"), "持ち時間：10分 秒読み30秒", "10:00 + 30 s"),
    ("game.kif", ("--time", "1.5", "--increment", "5"), "持ち時間：1分30秒 1手5秒加算", "1:30"),
    ("game.csa", ("--time", "10", "--byoyomi", "30"), "$TIME_LIMIT:00:10+30", "10:00 + 30 s"),
    ("game.jkf", ("--byoyomi", "10"), '"持ち時間": "0分 秒読み10秒"', "0:00 + 10 s"),
])
def test_a_saved_game_keeps_its_clock(tmp_path: Path, name: str, options: tuple[str, ...], line: str,
                                      clock: str) -> None:
    saved = tmp_path / name
    play(f"save {saved}", "quit", options=options)
    assert line in saved.read_bytes().decode("shift_jis" if name.endswith(".kif") else "utf-8")
    assert f"you {clock}" in play("quit", options=("--resume", str(saved)))
    assert "you 5:00, " in play("quit", options=("--resume", str(saved), "--time", "5"))      # unless it is set anew


@pytest.mark.parametrize("style", ["japanese", "usi"])
@pytest.mark.parametrize(("side", "moves", "cells", "rank"), [
    ("black", "7g7f 3c3d", ("v歩", "  p"), ("四", "d")), ("white", "7g7f 3c3d 2g2f", (" 歩", "  P"), ("六", "f"))])
def test_a_terminal_with_colours_marks_the_last_move(style: str, side: str, moves: str, cells: tuple[str, str],
                                                     rank: tuple[str, str]) -> None:
    printed, _shown = on_a_terminal("play", *QUICK, "--lines", style, "--color", side, "--sfen",
                                    f"startpos moves {moves}", given="board\nquit\n", variables={"TERM": "xterm"})
    line = next(line for line in printed.splitlines() if "\x1b[7m" in line)
    marked = re.search(r"\x1b\[7m(.*?)\x1b\[0m", line)
    assert marked
    assert (marked[1], re.sub(r"\x1b\[\d+m", "", line)[-1]) == (cells[style == "usi"], rank[style == "usi"])


def test_mate_ends_the_game_and_can_be_undone(tmp_path: Path) -> None:
    saved = tmp_path / "mate.kif"
    output = play("52金打", "5i5h", "resign", "hint", f"save {saved}", "undo", "G*4b", "quit",
                  options=("--sfen", MATE_IN_ONE))
    assert "White is mated. You win!" in output
    assert output.count("the game is over: undo, save FILE or quit") == 3
    assert read_record(saved).terminal == "TSUMI"
    assert output.count("Gakushi plays") == 1


def test_resignation_is_written_at_the_end(tmp_path: Path) -> None:
    saved = tmp_path / "game.kifu"
    output = play("7g7f", "resign", options=("--save", str(saved)))
    assert "Black resigns. Gakushi wins." in output
    game = read_record(saved)
    assert (game.terminal, game.winner) == ("TORYO", 1)
    assert game.names[0] == "Player"
    assert game.names[1].startswith("Gakushi ")


def test_a_person_with_white_sees_the_board_from_there_and_moves_second() -> None:
    output = play("flip", "sfen", options=("--color", "white", "--lines", "usi"))
    first, second = output.split("  1  2  3  4  5  6  7  8  9")[1], output.split("  9  8  7  6  5  4  3  2  1")[1]
    assert first.split("\n")[1].endswith("i")
    assert second.split("\n")[1].endswith("a")
    sfen = next(line.split("> ")[1] for line in output.splitlines() if " w - 2" in line)
    assert Position(sfen).turn == 1


def test_a_handicap_lets_white_begin() -> None:
    output = play("sfen", options=("--handicap", "2", "--lines", "usi"))
    assert output.index("Gakushi plays") < output.index("move 2 [")
    assert " b - 2" in output
    assert "r" not in next(line for line in output.splitlines() if " b - 2" in line).split("> ")[1].split()[0]


def test_a_clock_is_shown_and_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = count()
    monkeypatch.setattr(usi.commands.play.table, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    shown = play("7g7f", options=("--byoyomi", "0.1"))
    assert "[you 0:00 + 0.1 s, Gakushi 0:00 + 0.1 s] > " in shown
    assert "Black has run out of time. Gakushi wins." in shown


def test_a_hint_takes_none_of_the_persons_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    class SlowSearcher(Searcher):
        def search(self, *arguments: Any) -> Result:
            nonlocal now
            now += 100
            return super().search(*arguments)

    def make_slow_searcher(*_arguments: object) -> Searcher:
        return SlowSearcher(1)

    monkeypatch.setattr(usi.commands.play.table, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(usi.console.terminal, "make_searcher", make_slow_searcher)
    assert "move 3 [you 0:00, Gakushi" in play("hint", "7g7f")
    assert now == 200


def test_pipes_without_japanese_and_with_bytes_that_are_no_text() -> None:
    done = CliRunner(charset="ascii").invoke(main, ["play", *QUICK], input=b"\xff\xfe7g7f\n\n7g7f\nquit\n")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "neither a move nor a command" in done.stdout
    assert "Gakushi plays" in done.stdout
    assert "  .  .  P  .  .  .  .  .  .  f" in done.stdout


def test_ctrl_c_at_the_prompt_leaves_and_saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda _: signal.raise_signal(signal.SIGINT))
    saved = tmp_path / "game.csa"
    assert play(options=("--save", str(saved)), status=130).splitlines()[-2:][0] == "interrupted"
    assert saved.exists()


def test_ctrl_c_while_it_thinks_makes_it_move(monkeypatch: pytest.MonkeyPatch) -> None:
    typist = threading.get_ident()      # a terminal interrupts this thread, and its wait

    class Interrupted(Searcher):
        """A searcher that the person interrupts at its first report."""

        def search(self, position: Position, limits: Limits,   # type: ignore[override]
                   settings: Settings | None = None, *_rest: Any) -> Result:
            return super().search(position, Limits(), settings, lambda _: signal.pthread_kill(typist, signal.SIGINT))

    monkeypatch.setattr(usi.console.terminal, "make_searcher", lambda *_: Interrupted(1))
    assert "Gakushi plays ▲" in play("quit", options=("--color", "white"))


@each(("options", "status", "complaint"), [
    (("--sfen", MATE_IN_ONE, "--handicap", "2"), 2, "give only one of --handicap, --sfen, --from and --resume"),
    (("--from", "a.kif", "--resume", "b.kif"), 2, "give only one of --handicap, --sfen, --from and --resume"),
    (("--ply", "2"), 2, "--ply is for --from"),
    (("--from", str(RECORDS / "even.kif"), "--ply", "9"), 1, "has 7 moves, so --ply 9 is none of its positions"),
    (("--from", str(RECORDS / "two_games.csa")), 1, "there are 2 games in it; choose one with --game"),
    (("--save", "game.txt"), 1, "does not end in .kif, .kifu, .ki2, .ki2u, .csa, .jkf, .pgn, .usi or .sfen"),
    (("--handicap", "7"), 2, "'7'"),
])
def test_wrong_options(options: tuple[str, ...], status: int, complaint: str) -> None:
    assert complaint in play(options=options, status=status)


# -- In Japanese -------------------------------------------------------------------------------------------------------

@pytest.mark.usefixtures("japanese")
def test_a_game_in_japanese(tmp_path: Path) -> None:
    saved = tmp_path / "game.kifu"
    output = play("hello", "66角", "76歩", "待った", "反転", "盤面", "合法手", "ヒント", "宣言", "２六歩", "棋譜",
                  f"保存　{saved}", "投了", "終了")
    for words in (
        "あなたは先手です。", "「hello」は指し手でも命令でもありません", "角は７七の歩に遮られ、６六へ行けません",
        "Gakushi の指し手: △", "合法手は30手です", "ヒント: ▲",
        "先手は入玉宣言できません: 玉が敵陣三段目以内にいません",
        "先手：プレイヤー", f"{saved} に保存しました", "先手の投了。Gakushi の勝ちです。", "3手目 [あなた 0:",
    ):
        assert words in output
    assert read_record(saved).moves[0] == "2g2f"


@pytest.mark.parametrize("inside", [False, True])
def test_no_game_is_overwritten_unasked(tmp_path: Path, inside: bool) -> None:
    """No file is replaced by --save or `save`, except one that this game has written, which is brought up to date."""
    path = tmp_path / "keep.kif"

    def game(move: str, *force: str) -> str:
        if inside:
            return play(move, f"save {' '.join([*force, str(path)])}", "quit", "")
        return play(move, "quit", options=("--save", str(path), *force))

    moves = {"keep.kif": "7g7f", "keep-2.kif": "2g2f", "keep-3.kif": "5g5f"}
    outputs = [game(move) for move in moves.values()]
    assert {file.name: read_record(file).moves[0] for file in tmp_path.iterdir()} == moves
    assert "exists" not in outputs[0]
    tense = "was" if inside else "will be"
    assert f"{path} exists, so the game {tense} saved to {tmp_path / 'keep-3.kif'}" in outputs[2]
    assert "exists" not in game("6g6f", "--force")
    assert {file.name: read_record(file).moves[0] for file in tmp_path.iterdir()} == moves | {"keep.kif": "6g6f"}


# -- Going on ----------------------------------------------------------------------------------------------------------

def test_a_saved_game_goes_on(tmp_path: Path) -> None:
    """A resumed game continues where it was left, with its times, on the same side, at the same level, in the same
    file."""
    path = tmp_path / "game.kifu"
    play("2g2f", "quit", options=("--save", str(path), "--color", "white", "--level", "3"))
    record = read_record(path)
    count = len(record.moves)
    write_game(replace(record, comments={1: "first"}, times={ply: 60 * ply for ply in range(1, count + 1)}), path)
    output = play("sfen", "8c8d", "quit", options=("--resume", str(path), "--time", "10"))
    assert "You are White." in output
    assert f"move {count + 1} [you " in output
    assert "exists" not in output
    resumed = read_record(path)
    assert resumed.moves[:count] == record.moves
    assert len(resumed.moves) == count + 2
    assert (resumed.names, resumed.comments) == (record.names, {1: "first"})
    assert resumed.headers == record.headers | {"TIME_LIMIT": "00:10+00"}
    assert resumed.names[0].endswith(" level 3")
    assert [resumed.times[ply] for ply in range(1, count + 1)] == [60 * ply for ply in range(1, count + 1)]


def test_the_clock_of_a_game_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "game.kifu"
    write_game(GameRecord(moves=["7g7f", "3c3d"], times={1: 61, 2: 5}), path)
    assert "move 3 [you 1:01, Gakushi 0:05] >" in play(options=("--resume", str(path)))
    assert "move 3 [you 8:59, Gakushi 9:55] >" in play(options=("--resume", str(path), "--time", "10"))
    assert "move 3 [you 8:59, Gakushi 9:55] >" in play(options=("--resume", str(path)))


@each("options", [(), ("--time", "2"), ("--time", "1", "--increment", "0.7"), ("--byoyomi", "10.5")])
def test_the_clock_that_is_shown_is_the_one_that_is_saved(tmp_path: Path, options: tuple[str, ...]) -> None:
    """Even if the moves take fractions of a second."""
    path = tmp_path / "game.kifu"
    path.unlink(missing_ok=True)
    now = count(0, 0.37)

    def shown(*lines: str, arguments: tuple[str, ...]) -> str:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(usi.commands.play.table, "time", SimpleNamespace(monotonic=lambda: next(now)))
            return str(re.findall(r"\[you .*?\]", play(*lines, options=(*options, *arguments)))[-1])

    before = shown(*(f"{file}g{file}f" for file in range(9, 1, -1)), "quit", arguments=("--save", str(path)))
    assert before == shown("quit", arguments=("--resume", str(path)))
    assert sum(read_record(path).times.values()) >= 2


@pytest.mark.parametrize("terminal", ["TORYO", "CHUDAN", "TIME_UP"])
def test_a_game_that_was_given_up_goes_on(tmp_path: Path, terminal: str) -> None:
    path = tmp_path / "game.kifu"
    write_game(GameRecord(moves=["7g7f", "3c3d"], names=("A", "B"), terminal=terminal), path)
    play("2g2f", "quit", options=("--resume", str(path)))
    record = read_record(path)
    assert (len(record.moves), record.terminal, record.names) == (4, None, ("A", "B"))


def test_a_game_that_the_rules_have_ended_may_be_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "game.kifu"
    write_game(GameRecord(MATE_IN_ONE, ["G*5b"], terminal="TSUMI"), path)
    output = play("undo", "G*4b", "quit", options=("--resume", str(path)))
    assert "White is mated. You win!" in output
    assert "exists, so the game was saved to" in output, "moves that were taken back are not lost"
    assert read_record(path).moves == ["G*5b"]
    assert read_record(tmp_path / "game-2.kifu").moves[0] == "G*4b"


@each(("name", "text", "chosen"), [
    ("damaged.kifu", "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ７六歩(7", ()),
    ("several.csa", "PI\n+\n+7776FU\n-3334FU\n/\nPI\n+\n+2726FU\n", ("--game", "1")),
    ("unwritable.txt", "startpos moves 7g7f 3c3d", ()),
    ("timed.ki2u", "手合割：平手\n▲７六歩(0:05) △３四歩(0:07)\n", ()),
    ("letters.kif", "手合割：平手\n先手：Jörg\n1 ７六歩(77)\n2 ３四歩(33)\n", ()),
])
def test_what_would_be_lost_is_not_replaced(tmp_path: Path, name: str, text: str, chosen: tuple[str, ...]) -> None:
    """Parts of the file that could not be read, other games in it, and files that could not hold the game as it is."""
    path, saved = tmp_path / name, tmp_path / f"saved {name}.kifu"
    path.write_text(text, encoding="utf-8")
    output = play("2g2f", "quit", str(saved), options=("--resume", str(path), *chosen))
    assert path.read_text(encoding="utf-8") == text
    assert read_record(saved).moves[:3] == ["7g7f", "3c3d", "2g2f"]
    assert ("left out, with what follows from it: line 4" in output) == name.startswith("damaged")


def test_play_goes_on_from_any_move_of_a_record(tmp_path: Path) -> None:
    path = tmp_path / "saved.kifu"
    even = str(RECORDS / "even.kif")
    output = play("sfen", "2g2f", "quit", options=("--from", even, "--ply", "2", "--save", str(path)))
    assert "last move: △３四歩(33)" in output
    record = read_record(path)
    assert record.moves[:3] == ["7g7f", "3c3d", "2g2f"]
    assert (record.names[0], record.comments, 2 in record.times) == ("Player", {}, False)
    assert "move 8 [" in play("quit", options=("--from", even, "--color", "white"))
    assert "Gakushi plays" in play("quit", options=("--from", even))


def test_a_repetition_counts_what_was_played_before(tmp_path: Path) -> None:
    path = tmp_path / "game.kifu"
    moves = 2 * ["1i1h", "9a8a", "1h1i", "8a9a"] + ["1i1h", "9a8a"]
    write_game(GameRecord("k8/9/1G7/9/9/9/9/9/2R5K b - 1", moves), path)
    assert "a draw: the position has come up for the fourth time" in play("1h1i", options=("--resume", str(path)))


def test_variations_of_moves_that_are_still_there_are_kept() -> None:
    variations = {ply: [GameRecord(moves=["9g9f"])] for ply in (1, 2, 3)}
    start = GameRecord(moves=["7g7f", "3c3d"], variations=variations, comments={0: "a", 1: "b", 2: "c"},
                       remarks={-1: ["# d"], 2: ["# e"]},
                       headers={"START_TIME": "2026/11/24", "END_TIME": "2026/11/25"})
    game = GameInPlay(start, GameClock(), "CSARule27")
    assert game.record(("", "")) == replace(start, headers={"START_TIME": "2026/11/24"})
    game.take_back(1)
    game.make_move("8c8d", 5000)
    record = game.record(("", ""))
    assert (record.comments, record.remarks, record.times) == ({0: "a", 1: "b"}, {-1: ["# d"]}, {2: 5})
    assert list(record.variations) == [1, 2]


def test_leaving_asks_whether_to_save(tmp_path: Path) -> None:
    saved = tmp_path / "game.kif"
    output = play("7g7f", "quit", "game.txt", str(saved))
    assert output.count("Save the game as (Enter: do not save): ") == 2
    assert read_record(saved).moves[0] == "7g7f"
    assert play("7g7f", "quit", "").count("Save the game") == 1
    assert not (tmp_path / "game.txt").exists()
    twice = tmp_path / "twice.kif"
    output = play("7g7f", f"save {twice}", "6i7h", f"save {twice}", "quit")
    assert "exists" not in output
    assert len(read_record(twice).moves) == 4
    for asks_for_nothing in (output, play("quit"), play("7g7f", "quit", options=("--save", str(saved)))):
        assert "Save the game" not in asks_for_nothing
