"""Records of games: read back by our readers and by another's, however the game ended."""
from pathlib import Path
from typing import get_args

import cshogi
import pytest
from cshogi import CSA, KIF

from engine import BLACK, WHITE
from engine.notation.files import read_record, read_records
from game import Game
from records import TERMINALS, record_of, write_records
from referee import End
from standings import Standings

THOUGHTS = [(1500, 35, 9, 3000), (250, -40, None, None), (10, None, None, None)]


def game(winner: int | None, end: End, detail: str = "") -> Game:
    return Game(winner, end, "startpos moves 7g7f 3c3d 2g2f", 1, list(THOUGHTS), detail, "2026-01-02T03:04:05+00:00")


ENDED = [game(WHITE if name in ("mate", "resignation", "time-out", "crash", "silence", "illegal move",
                                "false declaration", "try") else BLACK, name) for name in get_args(End)]


def test_every_end_has_its_word() -> None:
    assert set(get_args(End)) == set(TERMINALS) | {"perpetual check"}


@pytest.mark.parametrize("ended", [
    *(game(BLACK, end) for end in ("mate", "resignation", "time-out", "illegal move", "perpetual check")),
    game(WHITE, "declaration"), game(WHITE, "perpetual check"),
    *(game(None, end) for end in ("repetition", "length", "drawish")),
])
def test_who_won_is_read_back(ended: Game, tmp_path: Path) -> None:
    write_records(tmp_path, Standings(["a", "b"], [(0, 1)], {0: ended}))
    for record in (read_record(tmp_path / "games.csa"), read_record(tmp_path / "kif" / "00001.kifu")):
        assert record.winner == ended.winner
        assert record.moves == ended.moves
        assert record.names == ("a", "b")


@pytest.mark.parametrize("end", get_args(End))
def test_both_formats_take_every_end(end: End, tmp_path: Path) -> None:
    write_records(tmp_path, Standings(["a", "b"], [(0, 1)], {5: game(BLACK, end, "what was wrong")}))
    assert "'*▲ " + end + ": what was wrong" in (tmp_path / "games.csa").read_text()
    assert f"*▲ {end}: what was wrong" in (tmp_path / "kif" / "00006.kifu").read_text()
    assert read_records(tmp_path / "games.csa")[0].names == ("b", "a"), "games of odd number have the first as White"


def test_scores_are_from_blacks_side() -> None:
    # After the opening's one move White thought first.
    csa, kif = (record_of(game(BLACK, "resignation"), ("a", "b"), "e", form) for form in (True, False))
    assert csa.comments == {2: "* -35", 3: "* -40", 4: "▲ resignation"}
    assert kif.comments[2] == "対局 深さ 9 ノード数 3000 評価値 -35"
    assert csa.times == {2: 1.5, 3: 0.25, 4: 0.01}
    assert csa.headers == {"EVENT": "e", "START_TIME": "2026/01/02 03:04:05"}


def test_another_reader_reads_the_games(tmp_path: Path) -> None:
    games = {0: game(BLACK, "resignation"), 1: game(None, "repetition")}
    write_records(tmp_path, Standings(["a", "b"], [(0, 1)], games))
    first, second = CSA.Parser.parse_str((tmp_path / "games.csa").read_text())
    assert [cshogi.move_to_usi(move) for move in first.moves] == ["7g7f", "3c3d", "2g2f"]
    assert (first.names, first.win, second.win) == (["a", "b"], cshogi.BLACK_WIN, cshogi.DRAW)
    assert first.scores[1:] == [-35, -40]
    kif = KIF.Parser.parse_str((tmp_path / "kif" / "00001.kifu").read_text())
    assert [cshogi.move_to_usi(move) for move in kif.moves] == ["7g7f", "3c3d", "2g2f"]
