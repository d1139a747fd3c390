"""Records of games, with every end, are read back by our readers and by other programs."""
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from engine import BLACK, SUPERIOR, WHITE
from engine.records.files import read_record
from engine.records.game import Game
from scripts.games.export import record_of, write_records
from scripts.games.played import PlayedGame
from scripts.games.rules import End
from scripts.games.standings import Standings
from scripts.training.files import read
from scripts.training.valuers import Labels
from scripts.training.valuing import label
from search import Limits
from tests.each import each
from tests.references import cshogi
from tests.usi.book.books import entries_of
from tests.usi.commands.running import invoke

DRAWS = ("repetition", "length", "drawish")
THOUGHTS = [(1500, 35, 9, 3000), (250, -40, None, None), (10, None, None, None)]


def game(winner: int | None, end: End, detail: str = "") -> PlayedGame:
    return PlayedGame(winner, end, "startpos moves 7g7f 3c3d 2g2f", 1, list(THOUGHTS), detail,
                      "2026-01-02T03:04:05+00:00")


@each(("winner", "end"), [
    *((None if end in DRAWS else WHITE if end == "declaration" else BLACK, end) for end in get_args(End)),
    (WHITE, "perpetual check"), (WHITE, "score"),
])
def test_every_end_is_said_and_who_won_is_read_back(winner: int | None, end: End, tmp_path: Path) -> None:
    ended = game(winner, end, "what was wrong")
    write_records(tmp_path, Standings(["a", "b"], [(0, 1)], {0: ended}))
    csa, kif = tmp_path / "games.csa", tmp_path / "kif" / "00001.kifu"
    said = f"*{'=' if winner is None else '▲△'[winner]} {end}: what was wrong"
    assert f"'{said}" in csa.read_text()
    assert said in kif.read_text()
    for record in (read_record(csa), read_record(kif)):
        assert record.winner == winner
        assert read_record(Game(record).text("pgn", strict=False)).winner == winner
        assert (record.moves, record.names) == (ended.moves, ("a", "b"))


@each("winner", [BLACK, WHITE])
def test_a_win_by_score_reaches_books_and_labels(winner: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """White is to move at the end, so Black's win is exported as White's resignation. USI has no word for White's win,
    and the export says so."""
    monkeypatch.chdir(tmp_path)
    write_records(Path(f"report{winner}"), Standings(["a", "b"], [(0, 1)], {0: game(winner, "score")}))
    for source in (f"report{winner}/games.csa", f"report{winner}/kif/00001.kifu"):
        for ending in ("csa", "kif", "kifu", "ki2", "pgn", "jkf", "usi"):
            path = Path(f"{Path(source).suffix[1:]}{winner}.{ending}")
            said = invoke("convert", source, path).output
            is_known = ending != "usi" or winner == BLACK
            assert ("results could be kept" in said) == (not is_known), path
            invoke("book", "build", path, "--out", f"{path}.db", "--scores")
            signs = {"bw"[side]: is_known * (1 if winner == side else -1) for side in (BLACK, WHITE)}
            for entry in entries_of(Path(f"{path}.db")):
                assert np.sign(entry.moves[0].score) == signs[entry.sfen.split()[1]], path
            label([path], Path(f"{path}.psv"), Labels(Limits(depth=1)), 1)
            assert read(Path(f"{path}.psv"))["game_result"].tolist() == [signs[side] for side in "bwbw"], path


def test_games_of_odd_number_have_the_first_as_white(tmp_path: Path) -> None:
    write_records(tmp_path, Standings(["a", "b"], [(0, 1)], {5: game(BLACK, "mate")}))
    assert read_record(tmp_path / "games.csa").names == read_record(tmp_path / "kif" / "00006.kifu").names == ("b", "a")


def test_scores_are_from_blacks_side() -> None:
    # After the opening's one move White thought first.
    played = game(BLACK, "resignation")
    csa, kif = (record_of(played, ("a", "b"), "e", form) for form in (True, False))
    assert csa.comments == {2: "* -35", 3: "* -40", 4: "▲ resignation"}
    assert kif.comments[2] == "対局 深さ 9 ノード数 3000 評価値 -35"
    assert csa.times == {2: 1.5, 3: 0.25, 4: 0.01}
    assert csa.headers == {"EVENT": "e", "START_TIME": "2026/01/02 03:04:05"}
    superior = replace(played, thoughts=[(1500, SUPERIOR, 9, 3000), *THOUGHTS[1:]])
    csa, kif = (record_of(superior, ("a", "b"), "e", form) for form in (True, False))
    assert (2 in csa.comments, kif.comments[2]) == (False, "対局 深さ 9 ノード数 3000 後手優等局面"), "without a number"


def test_cshogi_reads_the_games(tmp_path: Path) -> None:
    games = {0: game(BLACK, "resignation"), 1: game(None, "repetition"),
             2: game(BLACK, "score"), 3: game(WHITE, "score")}
    write_records(tmp_path, Standings(["a", "b"], [(0, 1)], games))
    first, second, *decided = cshogi.CSA.Parser.parse_str((tmp_path / "games.csa").read_text())
    assert [cshogi.move_to_usi(move) for move in first.moves] == ["7g7f", "3c3d", "2g2f"]
    assert (first.names, first.win, second.win) == (["a", "b"], cshogi.BLACK_WIN, cshogi.DRAW)
    assert [each.win for each in decided] == [cshogi.BLACK_WIN, cshogi.WHITE_WIN]
    assert first.scores[1:] == [-35, -40]
    kif = cshogi.KIF.Parser.parse_str((tmp_path / "kif" / "00001.kifu").read_text())
    assert [cshogi.move_to_usi(move) for move in kif.moves] == ["7g7f", "3c3d", "2g2f"]
