"""The record that `engine analyze` saves: new comments, older comments that are kept, and other programs that read
them."""
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from engine import SUPERIOR, Position
from engine.records.files import read_record
from engine.records.kif import format_kif, parse_kif, usi_to_kif
from engine.records.record import GameRecord
from tests.each import each
from tests.faults import refused
from tests.references import cshogi
from tests.usi.commands.running import invoke
from tests.usi.commands.test_analyze import GAME, MATE_IN_ONE, MOVES, QUICK, RECORDS, analyze
from usi.commands.analyze import report
from usi.commands.analyze.analysis import Analysis, Assessment, Candidate
from usi.commands.records import write_game


@pytest.fixture(scope="module")
def commented(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game as KIF, analysed."""
    folder = tmp_path_factory.mktemp("analysis")
    write_game(GAME, folder / "game.kifu")
    analyze(str(folder / "game.kifu"), "--multipv", "2", "--save", str(folder / "out.kif"))
    return folder / "out.kif"


def test_the_rest_of_the_record_is_written_back(tmp_path: Path) -> None:
    source, saved = tmp_path / "source.kif", tmp_path / "saved.kifu"
    source.write_bytes("""\
# a remark
手数----指手---------消費時間--
   1 ７六歩(77)
*trailing blanks \u3000
   2 ３四歩(33)   +

変化：2手
   2 ８四歩(83)
""".encode("cp932"))
    analyze(str(source), "--save", str(saved))
    game, before = read_record(saved), read_record(source)
    assert (game.variations, game.remarks) == (before.variations, before.remarks)
    assert game.comments[1].startswith("trailing blanks \u3000\n*解析 ")
    refused(at="--save", format="CSA", things="variations").ended(
        invoke("analyze", *QUICK, source, "--save", tmp_path / "saved.csa", status=1))


def test_our_reader_finds_game_and_comments_unchanged(commented: Path) -> None:
    game = read_record(commented)
    assert (game.moves, game.names) == (MOVES, GAME.names)
    assert sorted(game.comments) == list(range(9))
    assert game.comments[0].startswith("a comment\n*解析 ")
    assert game.comments[3].startswith("another\n")
    assert re.search(r"^【大悪手】失った分は期待勝率 \d+%、評価値 \d+（[\d,]+局面を探索）。最善は ", game.comments[5],
                     re.MULTILINE)
    assert not any("【" in game.comments[ply] for ply in (1, 2))


def test_comments_have_the_form_that_guis_draw_graphs_from(commented: Path) -> None:
    assessments = json.loads(analyze("-", "--json", "--multipv", "2"))["positions"]
    for position in assessments:
        lines = read_record(commented).comments[position["ply"]].splitlines()
        analysed = [line for line in lines if line.startswith("*解析 ")]
        assert len(analysed) == 2
        for line, expected in zip(analysed, position["lines"], strict=True):
            match = re.fullmatch(
                r"\*解析 0 候補[12] 時間 \d\d:\d\d\.\d 深さ \d+/\d+ ノード数 \d+ 評価値 ([+-]?\d+) 読み筋 (.+)", line)
            assert match
            assert int(match[1]) == expected["centipawns"]
            node = Position(position["sfen"])
            for word in match[2].split(" "):
                assert word[0] == "▲△"[node.turn]
                move = next(move for move in node.legal_moves() if usi_to_kif(node, move) == word[1:])
                node.push(move)
        assert lines[-1] == f"#評価値={position['centipawns']}"


@pytest.mark.parametrize("name", ["again.kifu", "again.ki2u", "again.jkf", "again.csa"])
def test_an_older_analysis_of_ours_is_replaced(commented: Path, tmp_path: Path, name: str) -> None:
    """The game's own comments stay, and so does the analysis of moves that are not judged again."""
    first, second = tmp_path / f"first_{name}", tmp_path / name
    analyze(str(commented), "--save", str(first))
    analyze(str(first), "--save", str(second), "--multipv", "2", "--to", "7")
    assert "KIF" not in read_record(second).comments[0]
    before, after = read_record(first).comments, read_record(second).comments
    for ply in range(9):
        assert after[ply].count("#評価値=") == 1
        assert after[ply].count("*解析 ") == (2 if ply < 8 else 1)
    assert (after[0].splitlines()[0], after[3].splitlines()[0]) == ("a comment", "another")
    assert after[8] == before[8]


@pytest.mark.parametrize("theirs", ["互角\n#評価値=31\n#読み筋=▲７六歩(77)", "【大悪手】と言うほかない", "互角",
                                    "*解析 0 候補1 時間 00:01.0 深さ 1 評価値 45"])
def test_what_others_have_written_is_kept(tmp_path: Path, theirs: str) -> None:
    write_game(replace(GAME, comments={1: theirs}), tmp_path / "game.kifu")
    for source, saved in (("game.kifu", "first.kifu"), ("first.kifu", "second.kifu")):
        analyze(str(tmp_path / source), "--to", "2", "--save", str(tmp_path / saved))
    assert read_record(tmp_path / "second.kifu").comments[1].startswith(f"{theirs}\n*解析 0 候補1 時間 ")
    assert read_record(tmp_path / "second.kifu").comments[1].count("\n") == theirs.count("\n") + 3


def test_comments_of_an_older_analysis_are_replaced(tmp_path: Path) -> None:
    older = "【大悪手】期待勝率 -32%、評価値 -1577。最善は ▲７八金(69)\n互角\n#評価値=31"
    assert report.own_comment(replace(GAME, comments={1: f"mine\n{older}", 2: older}), 1) == "mine"
    assert report.own_comment(replace(GAME, comments={1: f"mine\n{older}", 2: older}), 2) is None


def test_cshogi_reads_the_commented_game(commented: Path) -> None:
    parsed = cshogi.KIF.Parser.parse_file(str(commented))
    ours = read_record(commented)
    assert [cshogi.move_to_usi(move) for move in parsed.moves] == MOVES
    assert list(parsed.names) == list(GAME.names)
    for ply, comment in enumerate(parsed.comments, 1):
        expected = [line.removeprefix("*") for line in ours.comments[ply].splitlines()]     # it drops the second *
        assert comment.splitlines() == expected


def test_mates_in_comments(tmp_path: Path) -> None:
    saved = tmp_path / "mate.kifu"
    analyze("-", "--save", str(saved), source=f"sfen {MATE_IN_ONE} moves G*5b")
    comments = read_record(saved).comments
    assert "評価値 30000 読み筋 ▲５二金打" in comments[0]
    assert comments[0].splitlines()[-1] == "#詰み=先手勝ち:1手"
    assert comments[1] == "#詰み=先手勝ち"


@each("option", ["--save", "--html"])
def test_the_record_itself_is_not_overwritten(tmp_path: Path, option: str) -> None:
    path = tmp_path / "game.kif"
    write_game(GAME, path)
    before = path.read_bytes()
    refused(option=option, path=path).ended(invoke("analyze", *QUICK, path, option, path, status=1))
    assert path.read_bytes() == before


@pytest.mark.usefixtures("japanese")
def test_a_handicap_game_in_japanese(tmp_path: Path) -> None:
    """下手 and 上手, on the terminal and in the comments; the mark that ShogiHome reads stays as it is."""
    source, saved = str(RECORDS / "handicap.kifu"), tmp_path / "saved.kifu"
    output = analyze(source, "--save", str(saved), source="")
    assert output.startswith("下手: A, 上手: B, KIF（UTF-8）\n")
    assert output.splitlines()[1].split() == ["手数", "指し手", "評価値", "下手", "損失", "最善手順"]
    assert "先手" not in output
    assert "後手" not in output
    situations = {line for comment in read_record(saved).comments.values() for line in comment.splitlines()
                  if re.fullmatch("..(勝勢|優勢|有利)", line)}
    assert situations
    assert situations <= {"下手勝勢", "下手優勢", "下手有利"}
    again = tmp_path / "again.kifu"
    analyze(str(saved), "--save", str(again))
    assert all(comment.count("#評価値=") == 1 for comment in read_record(again).comments.values())
    assert "先手" in analyze("-"), "the names are those of this game alone"


def analysed(record: GameRecord, score: int) -> Analysis:
    found = Assessment(0, record.initial_sfen, 0, score, 3, 5, 70, 10,
                       (Candidate(score, ("7g7f",)), Candidate(30, ("2g2f",))))
    return Analysis(record).plus(found)


@pytest.mark.parametrize(("score", "name"), [(SUPERIOR, "先手優等局面"), (-SUPERIOR, "後手優等局面")])
def test_a_saved_game_names_it_without_a_number(score: int, name: str) -> None:
    record = GameRecord(moves=["7g7f"], comments={0: "own"})
    saved = report.commented(analysed(record, score))
    assert saved.comments[0].splitlines() == [
        "own",
        "*解析 0 候補1 時間 00:00.0 深さ 3/5 ノード数 70 読み筋 ▲７六歩(77)",
        "*解析 0 候補2 時間 00:00.0 深さ 3/5 ノード数 70 評価値 30 読み筋 ▲２六歩(27)",
        name]
    again = parse_kif(format_kif(saved))
    assert report.own_comment(again, 0) == "own"       # what is ours is found and replaced
    assert report.commented(analysed(again, 55)).comments[0].splitlines()[-1] == "#評価値=55"
    assert report.commented(analysed(replace(again), score)).comments == saved.comments
