"""A saved game names a superior position, whose value is no number of centipawns."""
from dataclasses import replace

import pytest

from engine import SUPERIOR
from engine.records.kif import format_kif, parse_kif
from engine.records.record import Record
from usi.commands.analyze.analysis import Analysis, Assessment, Candidate
from usi.commands.analyze.report import commented, own_comment


def analysed(record: Record, score: int) -> Analysis:
    found = Assessment(0, record.initial_sfen, 0, score, 3, 5, 70, 10,
                       (Candidate(score, ("7g7f",)), Candidate(30, ("2g2f",))))
    return Analysis(record).plus(found)


@pytest.mark.parametrize(("score", "name"), [(SUPERIOR, "先手優等局面"), (-SUPERIOR, "後手優等局面")])
def test_a_saved_game_names_it_without_a_number(score: int, name: str) -> None:
    record = Record(moves=["7g7f"], comments={0: "own"})
    saved = commented(analysed(record, score))
    assert saved.comments[0].splitlines() == [
        "own",
        "*解析 0 候補1 時間 00:00.0 深さ 3/5 ノード数 70 読み筋 ▲７六歩(77)",
        "*解析 0 候補2 時間 00:00.0 深さ 3/5 ノード数 70 評価値 30 読み筋 ▲２六歩(27)",
        name]
    again = parse_kif(format_kif(saved))
    assert own_comment(again, 0) == "own"       # what is ours is found and replaced
    assert commented(analysed(again, 55)).comments[0].splitlines()[-1] == "#評価値=55"
    assert commented(analysed(replace(again), score)).comments == saved.comments
