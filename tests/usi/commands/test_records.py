"""Games as people supply them: the form is recognised, and faults are explained."""
from pathlib import Path

import pytest

from engine.records.csa import format_csa
from engine.records.files import read_record
from engine.records.kif import format_kif
from engine.records.record import GameRecord
from engine.sfen import STARTPOS_SFEN
from tests.each import each
from tests.faults import refused
from usi.commands.records import find_games, write_game

MOVES = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e"]
GAME = GameRecord(moves=MOVES, names=("Habu", "羽生"), terminal="TORYO")
MATE_SFEN = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"


@each("text", [
    *(f"{head} moves {' '.join(MOVES)}" for head in ("startpos", "position startpos", STARTPOS_SFEN,
                                                     f"sfen {STARTPOS_SFEN}", f"position sfen {STARTPOS_SFEN}")),
    f"\ufeffstartpos moves {' '.join(MOVES)}\n", "\n".join(MOVES), "# a comment\n\n" + "\r\n".join(MOVES),
    "\ufeff" + format_kif(GAME), format_csa(GAME),
])
def test_every_form_is_read(text: str) -> None:
    (game,) = find_games(text.encode()).records
    assert game.initial_sfen == STARTPOS_SFEN
    assert game.moves == MOVES


@each(("text", "games"), [
    (f"startpos moves 7g7f 3c3d\nposition sfen {MATE_SFEN}\n# done\nstartpos moves 2g2f\n",
     [(["7g7f", "3c3d"], None), ([], None), (["2g2f"], None)]),
    ("7g7f resign", [(["7g7f"], "TORYO")]), ("7g7f win", [(["7g7f"], "KACHI")]),
])
def test_games_in_usi_one_to_a_line(text: str, games: list[tuple[list[str], str | None]]) -> None:
    assert [(game.moves, game.terminal) for game in find_games(text.encode()).records] == games


@each(("text", "where", "why"), [
    ("手合割：平手\n   1 ７五歩(77)\n", "line 2, '   1 ７五歩(77)'", "a pawn does not move from 7g to 7e"),
    ("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 ８五歩打\n", "line 5",
     "White has no pawn in hand"),
    ("PI\n+\n+7776FU\n-3334FU\n+7968GI\n-2288UM\n+0077FU\n", "line 7", "Black has no pawn in hand"),
    ('{"header": {}, "moves": [{}, {"move": {"from": {"x": 8, "y": 8}, "to": {"x": 2, "y": 2}}}]}', "move 1",
     "the way of the bishop from 8h to 2b is blocked by the pawn on 7g"),
    ("startpos moves 7g7f 3c3d 8h7h", "line 1: move 3", "a bishop does not move from 8h to 7h"),
    ("手合割：平手\n▲２二角成\n", "line 2", "the way of the bishop from 8h to 2b is blocked by the pawn on 7g"),
    ("手合割：平手\n▲７六歩 △３四歩 ▲５五角 △同銀\n", "line 2", "no silver of White's can go to 5e"),
    ("手合割：平手\n▲５八金右成\n", "line 2", "a gold cannot promote"),
    ("手合割：平手\n▲７六歩 △３四歩 ▲５五龍\n", "line 2", "Black has no dragon"),
    ("手合割：平手\n▲３五歩\n", "line 2", "no pawn of Black's can go to 3e"),
    ("手合割：平手\n▲２六歩 △８四歩 ▲２五歩 △８五歩 ▲２四歩 △同歩 ▲同飛 △２三歩 ▲５五歩\n", "line 2",
     "two pawns: there already is an unpromoted pawn of Black's on file 5, on 5g"),
    ('{"header": {}, "moves": [{}, {"move": {"to": {"x": 7, "y": 5}, "piece": "FU"}}]}', "move 1",
     "no pawn of Black's can go to 7e"),
])
def test_why_a_move_of_a_record_is_illegal_is_said(text: str, where: str, why: str) -> None:
    """In every format. tests/usi/words/test_illegal.py has all reasons."""
    with pytest.raises(ValueError, match="is not legal in") as fault:
        find_games(text.encode())
    assert where in str(fault.value)
    assert why in str(fault.value)


@pytest.mark.parametrize(("name", "encoding"), [
    ("a.kif", "cp932"), ("a.KIFU", "utf-8"), ("a.csa", "utf-8"), ("a.ki2", "cp932"),
    ("a.ki2u", "utf-8"), ("a.jkf", "utf-8"),
])
def test_a_game_is_written_by_the_name_of_its_file(tmp_path: Path, name: str, encoding: str) -> None:
    path = tmp_path / name
    write_game(GAME, path)
    assert "羽生" in path.read_bytes().decode(encoding)
    assert read_record(path).moves == MOVES


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    with refused(path=tmp_path / "a.txt", endings=...):
        write_game(GAME, tmp_path / "a.txt")
    with refused(letters="ö", encoding="Shift_JIS", ending=".kif", other="a.kifu"):
        write_game(GameRecord(names=("Jörg", "")), tmp_path / "a.kif")
    assert list(tmp_path.iterdir()) == []


def test_the_encoding_that_a_record_declares_is_that_of_its_file(tmp_path: Path) -> None:
    game = GameRecord(moves=MOVES, remarks={-1: ["#KIF version=2.0 encoding=UTF-8", "# mine encoding=none"]})
    write_game(game, tmp_path / "a.kif")
    assert (tmp_path / "a.kif").read_bytes().startswith(b"#KIF version=2.0 encoding=Shift_JIS\n# mine encoding=none\n")
