"""An analysed game with all that a page can show."""

import pytest

from engine import MATE
from engine.records.record import GameRecord
from tests.usi.pages.showing import NASTY, assessed
from usi.commands.analyze.analysis import Analysis


@pytest.fixture(scope="session")
def analysis() -> Analysis:
    """Four plies: a blunder of Black's at move 3, after which White misses a mate."""
    moves = ["7g7f", "3c3d", "8h2b+", "3a2b"]
    variation = GameRecord(GameRecord(moves=moves).position(2).sfen, ["2g2f", "8c8d", "2f2e"], comments={2: "quiet"})
    variation.variations = {2: [GameRecord(variation.position(1).sfen, ["4c4d", "2f2e"], comments={1: "ranging"})]}
    played_on = GameRecord(GameRecord(moves=moves).position().sfen, ["B*5e"])
    headers = {"EVENT": NASTY, "表題": "決勝", "OPENING": "角換わり"}
    record = GameRecord(moves=moves, names=(NASTY, "人"), headers=headers, comments={0: "start", 3: NASTY},
                        times={1: 65.0, 3: 3725.5}, terminal="TORYO", variations={3: [variation], 5: [played_on]})
    found = Analysis(record)
    for each in (
        assessed(record, 0, 30, ("7g7f", "3c3d"), ("2g2f",)),
        assessed(record, 1, -20, ("3c3d", "2g2f")),
        assessed(record, 2, 40, ("2g2f", "8c8d")),
        assessed(record, 3, 700, ("3a2b", "B*4e"), ("8b2b",), mate=("8b2b", "3i4h", "4a3b")),
        assessed(record, 4, -MATE + 4, ("B*4e", "4a3b")),
    ):
        found = found.plus(each)
    return found
