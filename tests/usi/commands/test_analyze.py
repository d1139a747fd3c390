"""`engine analyze`: the losses of moves, and the files that it writes."""
import json
import re
import signal
import sys
import threading
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine import MATE, SUPERIOR, Position
from engine.records.csa import format_csa
from engine.records.files import read_record
from engine.records.record import GameRecord
from search import MATERIAL, Clock, Limits, Result, Searcher, Settings
from search.limits import mate_plies
from search.mate import MateResult, MateSolver
from tests.each import each
from tests.faults import refused
from tests.usi.commands.running import invoke, on_a_terminal
from tests.usi.conftest import PATIENCE_S
from usi.commands.analyze import work
from usi.commands.analyze.analysis import Analysis, Assessment, Candidate, analyse, judge_move
from usi.commands.analyze.report import position_json, rows
from usi.console import terminal
from usi.files.journal import OtherRun
from usi.words.wording import columns_of, expected_score, show_score

# Black gives its bishop away for nothing at move 5; the other moves do no harm.
MOVES = ["7g7f", "3c3d", "2g2f", "8c8d", "8h3c+", "2b3c", "2f2e", "4a3b"]

GAME = GameRecord(moves=MOVES, names=("Person", "人"), comments={0: "a comment", 3: "another"})

# With this many nodes few moves are doubtful, so few are searched again with many times as many.
QUICK = ("--nodes", "6000", "--hash", "1", "--eval-file", "material")

MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"

LONG = 5_000_000        # nodes that take many seconds

RECORDS = Path(__file__).parents[2] / "engine" / "data" / "records"


def analyze(*arguments: str, source: str = " ".join(MOVES), status: int = 0) -> str:
    return invoke("analyze", *QUICK, *arguments, status=status, given=source).output


def assessed(score: int, *candidates: Candidate, ply: int = 0) -> Assessment:
    return Assessment(ply, "", ply % 2, score, 1, 1, 1, 1, candidates)


def test_expected_score_and_mates() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(600) == pytest.approx(0.731, abs=0.001)
    assert expected_score(-600) == pytest.approx(1 - expected_score(600))
    assert (expected_score(MATE - 3), expected_score(-MATE)) == (1, 0)
    assert (mate_plies(MATE - 3), mate_plies(-MATE + 4), mate_plies(-MATE), mate_plies(1000)) == (3, -4, 0, None)
    assert (show_score(MATE - 3), show_score(-MATE + 4), show_score(0)) == ("mate +3", "mate -4", "+0")


@each(("before", "after", "symbol"), [
    (0, 0, None),
    (0, -300, None),            # it got better
    (0, 100, None),
    (0, 130, "?!"),             # 5 % of a game
    (0, 250, "?"),              # 10 %
    (0, 510, "??"),             # 20 %
    (1900, -1500, None),        # 4 % and 400 centipawns, but decided before and after
    (1200, -800, "?!"),         # 9 %, not quite decided
    (2000, -800, "??"),         # 1200 centipawns
    (5000, -3000, None),        # decided, and it stays so
    (MATE - 1, -4000, None),    # a mate missed, but nothing lost
    (MATE - 1, -1500, "?!"),    # a mate missed that makes a difference of 8 %
    (-1500, MATE - 2, "?!"),    # one allowed
    (MATE - 1, 0, "??"),
    (0, MATE - 2, "??"),
    (-3000, MATE, None),        # lost anyway
])
def test_marks(before: int, after: int, symbol: str | None) -> None:
    mark = judge_move(assessed(before), "7g7f", assessed(after, ply=1), assessed(before)).mark
    assert (mark and mark.symbol) == symbol


def test_the_best_move_costs_nothing_whatever_comes_after() -> None:
    before = assessed(50, Candidate(50, ("7g7f",)), Candidate(-100, ("2g2f",)))
    assert judge_move(before, "7g7f", assessed(900, ply=1), before).lost_centipawns == 0
    assert judge_move(before, "2g2f", assessed(900, ply=1), before).lost_centipawns == 150
    assert judge_move(before, "9g9f", assessed(900, ply=1), before).lost_centipawns == 950


DECLARABLE = "1K7/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/4k4/9 b 2R2B4G 1"

BEFORE_IT = "2K6/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/4k4/9 w 2R2B4G 1"       # the king is there, whatever White does


def test_a_declaration_is_no_mate() -> None:
    """Neither in the position itself nor at the end of a line."""
    for sfen, sign in ((DECLARABLE, "+"), (BEFORE_IT, "+")):
        lines = analyze("-", "--lines", "usi", source=f"sfen {sfen}").splitlines()
        assert f" {sign}declares " in lines[2]
        (position,) = json.loads(analyze("-", "--json", source=f"sfen {sfen}"))["positions"]
        assert (position["special"], position["mate"] > 0) == ("declaration", True)
        assert all(line["special"] == "declaration" for line in position["lines"])


def test_a_superior_position_has_a_name() -> None:
    assert (show_score(SUPERIOR), show_score(-SUPERIOR), show_score(SUPERIOR - 1)) == ("+superior", "-superior",
                                                                                      "+27999")
    record = GameRecord()
    found = Assessment(0, record.initial_sfen, 0, -SUPERIOR, 1, 1, 1, 1, (Candidate(-SUPERIOR, ("7g7f",)),))
    shown = position_json(Analysis(record).plus(found), found)
    assert (shown["special"], shown["lines"][0]["special"], shown["centipawns"]) == ("superior", "superior", -SUPERIOR)


@each(("turn", "bounds", "shown"), [(0, ["exact", "upper"], "<-45"), (1, ["exact", "lower"], ">+45")])
def test_a_bound_is_shown_as_one_of_blacks_score(turn: int, bounds: list[str], shown: str) -> None:
    """The second line is worth at most -45 centipawns for the side to move."""
    moves = ("7g7f",)[:turn]
    lines = Candidate(30, ("3c3d" if turn else "7g7f",)), Candidate(-45, ("8c8d" if turn else "2g2f",), "upper")
    found = Assessment(turn, "", turn, 30, 4, 5, 6, 7, lines)
    analysis = Analysis(GameRecord(moves=list(moves))).plus(found)
    assert [line["bound"] for line in position_json(analysis, found)["lines"]] == bounds
    assert shown in list(rows(analysis, "usi"))[1]


REPEATED = 3 * ["2h3h", "8b7b", "3h2h", "7b8b"]

CHECKS = 3 * ["5h4h", "4a5a", "4h5h", "5a4a"]         # all of Black's

CHECKER = "5k3/9/9/9/9/9/9/4R4/K8 b - 1"


@each(("source", "score", "end", "special"), [
    (f"startpos moves {' '.join(REPEATED)}", "fourfold", "drawn after 12 moves: fourfold repetition", "repetition"),
    (f"sfen {CHECKER} moves {' '.join(CHECKS)}", "-perpetual", "Black lost after 12 moves by perpetual check",
     "perpetual check"),
])
def test_repetition_and_perpetual_check_have_their_names(source: str, score: str, end: str, special: str) -> None:
    """Also where the record has no closing line."""
    arguments = ("-", "--from", "12", "--lines", "usi")
    lines = analyze(*arguments, source=source).splitlines()
    assert next(line for line in lines if line.startswith("  12 ")).split()[2] == score
    assert lines[-1] == end
    last = json.loads(analyze(*arguments, "--json", source=source))["positions"][-1]
    assert last["special"] == special
    assert last["mate"] is None
    assert "mate" not in lines[-1]


@pytest.mark.usefixtures("japanese")
def test_a_perpetual_check_has_its_name_in_japanese_and_in_comments(tmp_path: Path) -> None:
    saved, source = tmp_path / "saved.kifu", f"sfen {CHECKER} moves {' '.join(CHECKS)}"
    lines = analyze("-", "--save", str(saved), source=source).splitlines()
    assert "-連続王手" in next(line for line in lines if line.startswith("  12 "))
    assert lines[-1] == "まで12手、連続王手の千日手で先手の負け"
    assert read_record(saved).comments[12].splitlines()[-2:] == ["連続王手の千日手で先手の負け", "#詰み=後手勝ち"]
    again = tmp_path / "again.kifu"
    analyze(str(saved), "--save", str(again))
    assert read_record(again).comments[12].count("連続王手の千日手で") == 1


def test_a_terminal_of_80_columns_has_a_line_for_each_move() -> None:
    printed, _shown = on_a_terminal("analyze", "-", *QUICK, given=" ".join(MOVES), variables={"COLUMNS": "80"})
    rows = [line for line in printed.splitlines() if re.match(r" {1,3}\d+  [▲△]", line)]
    assert [int(line[:4]) for line in rows[:8]] == list(range(1, 9))
    assert all(columns_of(line) <= 80 for line in rows)


def test_the_table_marks_the_blunder_and_tells_what_was_better() -> None:
    lines = analyze("-", "--lines", "japanese").splitlines()
    assert lines[1].split() == ["ply", "move", "score", "Black", "lost", "best", "line"]
    rows = {int(line[:4]): line for line in lines[2:11]}
    assert sorted(rows) == list(range(9))
    assert "start" in rows[0]
    assert "▲７六歩(77)" in rows[1]
    assert "△同　角(22)" in rows[6]
    assert [ply for ply, line in rows.items() if "??" in line] == [5]
    assert any(line.startswith("   5 ▲３三角成(88) ?? (blunder): better was ▲") for line in lines)
    assert sum(line.startswith(("Black: the", "White: the")) for line in lines) == 2
    assert sum(line.startswith(("Black: accuracy ", "White: accuracy ")) for line in lines) == 2
    assert "turning point: move 5, ▲３三角成(88)" in lines
    before_the_share = [row[:row.index("%")] for row in rows.values()]
    assert len({sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in row)
                for row in before_the_share}) == 1, "columns stand below one another"


def test_json_says_all_and_is_the_same_at_every_run() -> None:
    report = json.loads(analyze("-", "--json", "--multipv", "2"))
    assert report["schema"] == 1
    assert report["limits"] == {"depth": None, "nodes": int(QUICK[1]), "movetime_ms": None}
    found = report["positions"]
    assert [position["ply"] for position in found] == list(range(9))
    assert [position["move"] for position in found] == [None, *MOVES]
    assert [position["ply"] for position in found if position["mark"] == "??"] == [5]
    assert found[5]["lost_centipawns"] > 1200
    assert found[5]["lost_expected"] > 0.2
    node = Position()
    for position in found:
        if position["move"]:
            node.push(position["move"])
        assert position["sfen"] == node.sfen
        assert len(position["lines"]) == 2
        assert position["lines"][0]["centipawns"] == position["centipawns"]
        for line in position["lines"]:
            Position.from_usi(f"sfen {node.sfen} moves {' '.join(line['pv'])}")     # all of it legal
    again = json.loads(analyze("-", "--json", "--multipv", "2"))["positions"]
    for position in found + again:
        position.pop("time_ms")
    assert again == found


def test_scores_are_blacks_and_mates_count_plies() -> None:
    (only,) = json.loads(analyze("-", "--json", source=f"sfen {MATE_IN_ONE}"))["positions"]
    assert (only["mate"], only["special"], only["centipawns"], only["expected"]) == (1, None, None, 1.0)
    assert only["lines"][0]["pv"] == ["G*5b"]
    (mirrored,) = json.loads(analyze("-", "--json", source="sfen 4k4/9/9/9/9/9/4p4/9/4K4 w g 1"))["positions"]
    assert (mirrored["mate"], mirrored["expected"]) == (-1, 0.0)


def test_a_missed_mate_is_reported() -> None:
    missed = f"position sfen {MATE_IN_ONE} moves 5i5h 5a4b"
    told = analyze("-", "--lines", "usi", source=missed)
    assert "1 there was a mate in 1: G*5b" in told
    assert "   1  5i5h " in told
    assert told.isascii()
    assert "there was a mate" not in analyze("-", "--lines", "usi", "--mate-nodes", "0", source=missed)
    assert "there was a mate" not in analyze("-", source=f"position sfen {MATE_IN_ONE} moves G*5b")
    positions = json.loads(analyze("-", "--json", source=missed))["positions"]
    assert [position["mate_by_checks"] for position in positions] == [["G*5b"], None, None]


def test_a_range_of_plies() -> None:
    report = json.loads(analyze("-", "--json", "--from", "5", "--to", "5"))
    assert [(position["ply"], position["mark"]) for position in report["positions"]] == [(4, None), (5, "??")]


@pytest.mark.parametrize(("name", "start"), [("graph.png", b"\x89PNG"), ("graph.svg", b"<?xml")])
def test_picture(tmp_path: Path, name: str, start: bytes) -> None:
    pytest.importorskip("matplotlib", reason="the picture needs matplotlib")
    analyze("-", "--to", "7", "--picture", str(tmp_path / name))
    assert (tmp_path / name).read_bytes().startswith(start)


def test_without_matplotlib_it_says_so_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    output = analyze("-", "--picture", str(tmp_path / "graph.png"), status=1)
    assert 'pip install "gakushi[plot]"' in output
    assert "start" not in output


@each(("arguments", "source", "fault"), [
    (["-", "--strict"], "7g7f 7g7f", refused(fault=refused(at=2, text="7g7f", sfen=...), why=...)),
    ([RECORDS / "two_games.csa"], "", refused(count=2)),
    ([RECORDS / "two_games.csa", "--game", 3], "", refused(number=3, count=2)),
    (["-", "--from", 3], "7g7f", refused(first=3, last=1)),
    (["-", "--save", "game.txt"], "7g7f", refused(path="game.txt", endings=...)),
    (["-", "--picture", "graph.bmp"], "7g7f", refused(option="--picture", path="graph.bmp", suffixes=[".png", ".svg"])),
])
def test_what_is_wrong_is_said_before_the_work(arguments: list[object], source: str, fault: refused) -> None:
    done = invoke("analyze", *QUICK, *arguments, given=source, status=1)
    fault.ended(done)
    assert "start" not in done.output


@each("option", ["--save", "--html"])
def test_a_file_is_no_folder_and_that_is_said_before_the_work(option: str) -> None:
    said = analyze("-", option, "/dev/null/game.kif", source="7g7f", status=1)
    assert "'/dev/null': " in said
    assert "start" not in said


def test_a_damaged_game_is_analysed_as_far_as_it_goes() -> None:
    game = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ７六歩(7"
    done = invoke("analyze", *QUICK, "-", given=game)
    assert done.stderr == ("-: left out, with what follows from it: line 4, '3 ７六歩(7': '７六歩(7' is no KIF move; "
                           "write it as ７六歩(77), 同　銀成(31) or ５五角打\n")
    assert [line.split()[0] for line in done.stdout.splitlines()[2:5]] == ["0", "1", "2"]


@each(("game", "said"), [
    ("手合割：平手\n1 ７六歩(77) (12時)\n2 ３四歩(33)\n", "line 2, '1 ７六歩(77) (12時)': '12時' is no time spent on a "
                                                   "move; write it as (0:12)"),
    ("手合割：平手\n1 ７六歩(77)\nplayer\n2 ３四歩(33)\n", "line 3, 'player': this is no move, comment or end"),
    ("V2.2\nPI\n+\n+7776FU\nT1x\n-3334FU\n%OOPS\n", "line 5, 'T1x': 'T1x' is no time spent on a move; write seconds as "
                                                  "in T12; and 1 more"),
])
def test_what_loses_only_its_line_is_not_said_to_lose_more(game: str, said: str) -> None:
    done = invoke("analyze", *QUICK, "-", given=game)
    assert done.stderr.startswith(f"-: left out: {said}")
    assert [line.split()[0] for line in done.stdout.splitlines()[2:5]] == ["0", "1", "2"]


def test_a_game_that_was_saved_is_replaced_only_by_force(tmp_path: Path) -> None:
    saved = tmp_path / "saved.usi.kifu"
    saved.write_text("mine")
    done = invoke("analyze", *QUICK, "-", "--save", saved, given="7g7f")
    assert done.stderr == (f"{saved} exists, so the game will be saved to {tmp_path / 'saved.usi-2.kifu'} "
                           "(--force replaces it)\n")
    assert (saved.read_text(), read_record(tmp_path / "saved.usi-2.kifu").moves) == ("mine", ["7g7f"])
    invoke("analyze", *QUICK, "-", "--save", saved, "--force", given="7g7f")
    assert read_record(saved).moves == ["7g7f"]


def test_ctrl_c_ends_it_with_what_has_been_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C comes during the third search, which would take long."""
    typist = threading.get_ident()      # a terminal interrupts this thread, and its wait
    nodes: list[int] = []

    class Interrupted(Searcher):
        def search(self, position: Position, limits: Limits | Clock, settings: Settings | None = None,
                   *_rest: Any) -> Result:
            arguments = (position, limits, settings) if len(nodes) < 2 else (
                position, Limits(nodes=LONG), settings, lambda _: signal.pthread_kill(typist, signal.SIGINT))
            result = super().search(*arguments)
            nodes.append(result.nodes)
            return result

    monkeypatch.setattr(terminal, "make_searcher", lambda *_: Interrupted(1, evaluator=MATERIAL))
    saved = tmp_path / "part.kifu"
    assert analyze("-", "--save", str(saved), status=130).endswith("interrupted; positions done: 2\n")
    assert len(nodes) == 3
    assert nodes[-1] < LONG
    comments = read_record(saved).comments
    assert ["*解析 " in comments.get(ply, "") for ply in range(9)] == [True] * 2 + [False] * 7


def test_ctrl_c_ends_the_mate_search_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No position has been analysed yet, so no page is written."""
    class Endless(MateSolver):
        """Is interrupted in its first search, and goes on until it is stopped."""

        stopped = threading.Event()

        def stop(self) -> None:
            self.stopped.set()

        def solve(self, *_: object, **__: object) -> MateResult:
            signal.raise_signal(signal.SIGINT)
            assert self.stopped.wait(PATIENCE_S)
            return MateResult("timeout", (), False, 1, 1, 0)

    monkeypatch.setattr(work, "MateSolver", Endless)
    page = tmp_path / "page.html"
    assert analyze("-", "--html", str(page), status=130).endswith("interrupted; positions done: 0\n")
    assert not page.exists()


def test_a_stop_during_the_search_holds_for_the_mate_search_behind_it() -> None:
    searcher, solver = Searcher(1, evaluator=MATERIAL), MateSolver(1)

    def stop(*_: object) -> None:
        searcher.stop()
        solver.stop()

    mate_of_seconds = GameRecord("3g1n1l1/2p1g1r2/5k2S/4p1N+R1/3+p5/7N1/B8/9/9 b 2GSNb2s3l15p 1")
    (found,) = analyse(mate_of_seconds, [0], searcher, Limits(depth=3), Settings(), stop, solver, 10**9)
    assert found.mate == ()


def test_a_position_that_the_solver_need_not_see_leaves_no_trace_in_it() -> None:
    """The game is over there. Neither a stop nor the time spent there affects the next problem."""
    searcher, solver = Searcher(1, evaluator=MATERIAL), MateSolver(1)
    (found,) = analyse(GameRecord("4k4/4G4/4P4/9/9/9/9/9/9 w - 1"), [0], searcher, Limits(depth=3), Settings(),
                       solver=solver, mate_nodes=1000)
    assert (found.candidates, found.mate) == ((), ())
    solver.stop()
    assert solver.solve(Position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")).moves == ("G*5b",)


def test_progress_goes_to_stderr_if_that_is_a_terminal() -> None:
    printed, shown = on_a_terminal("analyze", "-", *QUICK, "--to", "2", given="7g7f 3c3d", stdout=False,
                                   variables={"TERM": "xterm"})
    assert "\rposition 0 of 2: depth 1, " in shown
    assert re.search(r"position 2 of 2, \d+ (s|min) left: ", shown)
    assert "position" not in printed


def test_the_head_says_who_played() -> None:
    record = replace(GAME, names=("A", "B"), headers={"EVENT": "Cup", "START_TIME": "2026/11/20", "OPENING": "x"})
    head = analyze("-", "--to", "1", source=format_csa(record)).splitlines()[0]
    assert head == "Black: A, White: B, event: Cup, date: 2026/11/20, opening: x, CSA in UTF-8"


@pytest.mark.usefixtures("japanese")
def test_in_japanese() -> None:
    lines = analyze("-", source=format_csa(replace(GAME, names=("A", "B"), headers={"EVENT": "Cup"}))).splitlines()
    assert lines[0] == "先手: A, 後手: B, 棋戦: Cup, CSA（UTF-8）"
    assert lines[1].split() == ["手数", "指し手", "評価値", "先手", "損失", "最善手順"]
    assert columns_of(lines[4].partition("  ▲")[0]) == columns_of(lines[1].partition("  最善手順")[0])
    assert any(" 大悪手  " in line for line in lines)
    assert " 最善    " in analyze("-", source=f"position sfen {MATE_IN_ONE} moves G*5b")
    assert any(line.startswith("先手: ") and "手が最善、平均損失 " in line for line in lines)
    assert any("大悪手: 最善は ▲" in line for line in lines)
    assert not any("??" in line for line in lines)


def test_an_analysis_goes_on_where_it_was_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results in the journal are shown unchanged, and only the rest is searched."""
    journal, page = tmp_path / "game.jsonl", tmp_path / "game.html"
    whole = analyze("-", "--journal", str(journal), "--multipv", "2", "--mate-nodes", "100", "--html", str(page))
    text, shown = journal.read_text(), page.read_text(encoding="utf-8")
    looks = [json.loads(line) for line in text.splitlines()[1:]]
    assert [found["ply"] for found in looks if not found["look"]] == list(range(len(MOVES) + 1))
    assert {found["ply"] for found in looks if found["look"]} >= {4, 5}
    journal.write_text("".join(text.splitlines(keepends=True)[:6]) + '{"ply": 5, "sf')    # as a power cut leaves it
    searched: list[int] = []

    class Counted(Searcher):
        def search(self, position: Position, *others: Any) -> Result:
            searched.append(len(position.moves))
            return super().search(position, *others)

    monkeypatch.setattr(terminal, "make_searcher", lambda *_: Counted(1, evaluator=MATERIAL))
    again = analyze("-", "--journal", str(journal), "--multipv", "2", "--mate-nodes", "100")
    assert searched[:4] == [5, 6, 7, 8]
    assert set(searched[4:]) >= {4, 5}
    assert again.splitlines()[:6] == whole.splitlines()[:6]
    searched.clear()
    journal.write_text(text[:-20])      # only its last look is missing
    analyze("-", "--journal", str(journal), "--multipv", "2", "--mate-nodes", "100")
    assert searched == [looks[-1]["ply"]]
    searched.clear()
    journal.write_text(text)
    again = analyze("-", "--journal", str(journal), "--multipv", "2", "--mate-nodes", "100", "--html", str(page))
    assert again == whole
    assert page.read_text(encoding="utf-8") == shown
    assert shown.startswith("<!DOCTYPE html>")
    assert searched == []
    refused(OtherRun, path=journal, what=..., names=["multipv", "game"], remedy=..., values=...).ended(
        invoke("analyze", *QUICK, "-", "--journal", journal, "--mate-nodes", 100, given=" ".join(MOVES[:3]), status=1))
