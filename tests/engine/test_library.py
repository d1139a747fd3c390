"""Positions as Python programmers use them: equality, attacks, passing, moves in every notation, faults of SFENs, and
pictures."""
import copy
import gc
import json
import pickle
import re
import weakref
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
import shogi  # type: ignore[import-untyped]

import engine
from engine import (
    BISHOP,
    BLACK,
    DRAGON,
    KING,
    PAWN,
    PROMOTED,
    WHITE,
    WHITE_PIECE,
    Position,
    UserError,
    pieces,
    sfen_faults,
)
from engine.records.moves import NOTATIONS
from engine.sfen import flip_move, flip_sfen, format_sfen, mirror_move, mirror_sfen
from tests.browser import NEEDS_CHROMIUM, Browser
from tests.faults import refused
from tests.processes import ROOT


def test_equal_positions_are_equal_however_they_came_about(varied_sfens: list[str]) -> None:
    rng = Random(3)
    for sfen in rng.sample(varied_sfens, 50):
        position = Position(sfen)
        assert position == Position(sfen)
        assert hash(position) == hash(Position(sfen))
        if not position.in_check:
            passed = position.copy()
            passed.push_null()
            assert passed != position
        for twin in (position.copy(), copy.copy(position), copy.deepcopy(position),
                     pickle.loads(pickle.dumps(position))):
            assert twin == position
            assert twin is not position
        if moves := position.legal_moves():
            twin.push(moves[0])
            assert twin != position
            twin.pop()
            assert twin == position
    assert len({Position(), Position(), Position("4k4/9/9/9/9/9/9/9/4K4 b P 1")}) == 2
    assert Position() != object()
    assert Position("4k4/9/9/9/9/9/9/9/4K4 b P 1") != Position("4k4/9/9/9/9/9/9/9/4K4 b p 1")


class Noted(Position):
    """A subclass with attributes of both kinds, and a constructor of its own."""

    __slots__ = ("__dict__", "judged")

    def __init__(self, note: str) -> None:
        super().__init__()
        self.note = [note]
        self.judged = 7

    def push(self, usi: str) -> None:
        raise AssertionError("nothing of the subclass runs when it is copied")


def test_a_subclass_stays_one() -> None:
    noted = Noted("book")
    for move in ("7g7f", "3c3d"):
        Position.push(noted, move)
    for twin in (noted.copy(), copy.copy(noted), copy.deepcopy(noted), pickle.loads(pickle.dumps(noted)),
                 pickle.loads(pickle.dumps(noted, 0)), noted.mirrored().mirrored()):
        assert type(twin) is Noted
        assert (twin, twin.moves, twin.note, twin.judged) == (noted, noted.moves, ["book"], 7)
        assert twin is not noted
    assert noted.copy().note is noted.note is not copy.deepcopy(noted).note
    bare = Noted.__new__(Noted).copy()
    assert not hasattr(bare, "note")


def test_weak_references_end_with_the_position() -> None:
    position = Position()
    seen = weakref.ref(position)
    assert seen() is position
    del position
    gc.collect()
    assert seen() is None


def test_a_mirrored_or_turned_position_has_such_moves(varied_sfens: list[str]) -> None:
    rng = Random(8)
    for sfen in rng.sample(varied_sfens, 40):
        position = Position(sfen)
        for _ in range(3):
            if moves := position.legal_moves():
                position.push(rng.choice(moves))
        image, turned = position.mirrored(), Position(flip_sfen(position.sfen))
        assert image.sfen == mirror_sfen(position.sfen) == Position(mirror_sfen(position.sfen)).sfen
        assert image.moves == [mirror_move(move) for move in position.moves]
        assert sorted(map(mirror_move, position.legal_moves())) == sorted(image.legal_moves())
        assert (image.mirrored(), image.in_check, image.turn) == (position, position.in_check, position.turn)
        assert (turned.sfen, flip_sfen(turned.sfen)) == (flip_sfen(position.sfen), position.sfen), "canonical again"
        assert sorted(map(flip_move, position.legal_moves())) == sorted(turned.legal_moves())
        assert (turned.in_check, turned.turn) == (position.in_check, 1 - position.turn)
        assert mirror_sfen(flip_sfen(sfen)) == flip_sfen(mirror_sfen(sfen))
    passed = Position()
    passed.push_null()
    assert passed.mirrored().moves == ["null"]
    assert Position().mirrored() != Position()      # where bishop and rook have changed places
    assert flip_sfen(Position().sfen) == Position().sfen.replace(" b ", " w ")
    assert flip_sfen("9/9/9/9/4+P4/9/9/9/9 w -") == "9/9/9/9/4+p4/9/9/9/9 b -"


def test_the_moves_from_a_square_are_those_of_its_piece(varied_sfens: list[str]) -> None:
    for sfen in Random(9).sample(varied_sfens, 40):
        position = Position(sfen)
        moves = position.legal_moves()
        for square in map(pieces.square_name, range(pieces.SQUARES)):
            found = position.legal_moves(from_square=square)
            assert sorted(found) == sorted(move for move in moves if move.startswith(square))


def test_kings_and_pieces_are_where_the_board_has_them(varied_sfens: list[str]) -> None:
    for sfen in Random(10).sample(varied_sfens, 40):
        position = Position(sfen)
        board = {pieces.square_name(square): piece for square, piece in enumerate(position.placement.board) if piece}
        assert position.piece_map() == board
        for side in (BLACK, WHITE):
            assert position.king_square(side) == next(
                (square for square, piece in board.items() if piece == KING + side * WHITE_PIECE), None)


def test_the_last_move_and_what_it_took(varied_sfens: list[str]) -> None:
    rng, taken = Random(11), 0
    for sfen in rng.sample(varied_sfens, 40):
        position = Position(sfen)
        with pytest.raises(IndexError, match="no move to take back"):
            position.peek()
        assert position.captured_piece == 0
        for _ in range(8):
            if moves := position.legal_moves():
                there, move = position.piece_map(), rng.choice(moves)
                position.push(move)
                assert (position.peek(), position.captured_piece) == (move, there.get(move[2:4], 0))
                taken += bool(position.captured_piece)
    assert taken > 10
    position = Position.from_usi("startpos moves 7g7f 3c3d 8h2b+")
    position.push_null()
    assert (position.peek(), position.captured_piece, position.pop(), position.captured_piece) == (
        "null", 0, "null", BISHOP + WHITE_PIECE)


def test_the_old_name_of_the_move_number_warns() -> None:
    position = Position.from_usi("startpos moves 7g7f")
    with pytest.warns(DeprecationWarning, match=r"Position\.ply is now Position\.move_number") as warned:
        assert position.ply == position.move_number == 2
    assert warned[0].filename == __file__


def test_the_pieces_have_names() -> None:
    position = Position("4k4/9/9/9/4+P4/9/9/9/1B2K4 b - 1")
    position_of_white = Position(flip_sfen(position.sfen))
    assert (position.piece_at("8i"), position_of_white.piece_at("2a")) == (BISHOP, BISHOP + WHITE_PIECE)
    assert (position.piece_at("5e"), position.piece_at("5a")) == (PAWN + PROMOTED, KING + WHITE_PIECE)
    assert PAWN + PROMOTED == engine.PRO_PAWN
    kinds = ["PAWN", "LANCE", "KNIGHT", "SILVER", "BISHOP", "ROOK", "GOLD", "KING",
             "PRO_PAWN", "PRO_LANCE", "PRO_KNIGHT", "PRO_SILVER", "HORSE", "DRAGON"]
    assert [getattr(engine, kind) for kind in kinds] == list(range(1, DRAGON + 1))


def test_attackers_and_checkers_agree_with_python_shogi(varied_sfens: list[str]) -> None:
    for sfen in Random(4).sample(varied_sfens, 60):
        ours, theirs = Position(sfen), shogi.Board(sfen)
        for index, name in enumerate(shogi.SQUARE_NAMES):
            for side in (BLACK, WHITE):
                found = {shogi.SQUARE_NAMES[square] for square in theirs.attackers(side, index)}
                assert set(ours.attackers(name, side)) == found, (sfen, name, side)
            assert set(ours.attackers(name)) == {*ours.attackers(name, BLACK), *ours.attackers(name, WHITE)}
        king = theirs.king_squares[theirs.turn]
        assert set(ours.checkers()) == (set(ours.attackers(shogi.SQUARE_NAMES[king], 1 - ours.turn)) if king is not None
                                        else set()), sfen


def test_a_pinned_piece_is_one_whose_absence_gives_the_king_away(varied_sfens: list[str]) -> None:
    pins = 0
    for sfen in Random(5).sample(varied_sfens, 400):
        position = Position(sfen)
        placement = position.placement
        expected = set()
        for square, piece in enumerate(placement.board):
            name = pieces.square_name(square)
            if piece and piece // 16 == position.turn and piece % 16 != 8:
                board = [0 if other == 8 + 16 * (1 - position.turn) else other for other in placement.board]
                board[square] = 0
                without = Position(format_sfen(placement._replace(board=board)))
                if set(without.checkers()) > set(position.checkers()):
                    expected.add(name)
        assert set(position.pinned()) == expected, sfen
        assert position.pinned() == position.pinned(position.turn)
        pins += len(expected)
    assert pins > 20


def test_a_null_move_passes_the_turn_and_is_taken_back() -> None:
    position = Position()
    position.push("7g7f")
    before = position.sfen
    position.push_null()
    assert position.sfen == before.replace(" w - 2", " b - 3")
    position.push("7f7e")
    assert position.moves == ["7g7f", "null", "7f7e"]
    assert copy.deepcopy(position).moves == position.moves
    assert [position.pop() for _ in range(3)] == ["7f7e", "null", "7g7f"]
    assert position == Position()
    check = Position("4k4/9/9/9/4r4/9/9/9/4K4 b - 1")
    with refused(about="check"):
        check.push_null()
    assert check.moves == []


@pytest.mark.parametrize("notation", NOTATIONS)
def test_a_move_is_read_back_in_every_notation(varied_sfens: list[str], notation: str) -> None:
    """There is a move before it, which 同 may refer to."""
    rng = Random(6)
    for sfen in rng.sample(varied_sfens, 30):
        position = Position(sfen)
        if not (moves := position.legal_moves()):
            continue
        position.push(rng.choice(moves))
        for move in position.legal_moves():
            text = position.format_move(move, notation)
            assert position.parse_move(text) == move, (sfen, text)


@pytest.mark.parametrize(("sfen", "move", "text"), [
    ("4k4/9/9/9/9/9/9/9/4K4 b N 1", "N*5e", "N*5e"),
    ("4k4/9/9/9/9/9/9/9/4K2R1 b - 1", "2i2c+", "R-2c+"),
    ("4k4/9/7p1/9/9/9/9/9/4K2R1 b - 1", "2i2c", "Rx2c="),
    ("4k4/9/9/9/9/9/9/3G1G3/4K4 b - 1", "6h5h", "G6h-5h"),
    ("4k4/9/9/9/9/9/9/3+P5/4K4 b - 1", "6h5h", "+P-5h"),
])
def test_western_notation_is_the_usual_one(sfen: str, move: str, text: str) -> None:
    assert Position(sfen).format_move(move, "western") == text


def test_what_is_no_notation_or_no_move_is_refused() -> None:
    with refused(notation="chess", notations=...):
        Position().format_move("7g7f", "chess")
    for text in ("5a5b", "▲５五歩", "+5554FU", "P-5e", "７五歩(77)", "hello", "", "同歩"):
        with pytest.raises(UserError) as raised:
            Position().parse_move(text)
        assert raised.value.fields["text"] == text


def test_all_faults_of_an_sfen_are_listed() -> None:
    assert sfen_faults(Position().sfen) == []
    assert sfen_faults("k3k4/9/9/9/9/4P4/4P4/9/PL7 b 30G -") == [
        "the move number is '-'; it runs from 1 to 99999",
        "White has 2 kings",
        "30 golds in all; a set has 4",
        "Black has two pawns on file 5",
    ]
    assert sfen_faults("P3k4/N8/9/9/9/9/9/9/9 b - 1") == [
        "'P' on rank a could never move", "'N' on rank b could never move"]
    assert sfen_faults("4k4/4R4/9/9/9/9/9/9/4K4 b - 1") == ["White is in check, but it is Black's turn"]
    assert sfen_faults("4k4") == ["an SFEN is a board, a side to move, the hands and a move number, not 1 fields"]


def test_the_first_fault_listed_is_the_one_that_refuses(varied_sfens: list[str]) -> None:
    rng = Random(7)
    count = 0
    for sfen in varied_sfens:
        damaged = list(sfen)
        for _ in range(2):
            damaged[rng.randrange(len(damaged))] = rng.choice("kKpP9+/ bw1x")
        text = "".join(damaged)
        faults = sfen_faults(text)
        said = None
        try:
            Position(text)
        except ValueError as fault:
            said = str(fault)
            count += 1
        assert said == (f"{text!r}: {faults[0]}" if faults else None)
    assert count > 100


SHAPES = re.compile(r"<(rect|path|text|g|circle)\b([^>]*)>([^<]*)")
ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
LOOKS = {"width", "height", "data-square", "data-hand", "style", "stroke-linejoin", "viewBox"}


def shapes(svg: str) -> list[tuple[str, str, list[tuple[str, str | list[float]]], str]]:
    """The name, class, attributes and text of each shape of a drawing, with rounded numbers."""
    found = []
    for name, attributes, text in SHAPES.findall(svg):
        values = dict(ATTRIBUTE.findall(attributes))
        kind = values.pop("class", "")
        where = [(key, [round(float(number)) for number in re.findall(r"-?[\d.]+", value)]
                  if key not in ("data-piece", "data-move") else value)
                 for key, value in sorted(values.items()) if key not in LOOKS]
        found.append((name, kind, where, text.strip()))
    return sorted(found, key=repr)


@NEEDS_CHROMIUM
@pytest.mark.parametrize("flipped", [False, True])
def test_the_page_draws_the_same_board(browser: Browser, tmp_path: Path, flipped: bool) -> None:
    sfen = "lnsgk1snl/1r4g2/p1pppp2p/6pP1/1p7/2P6/PP1PPP2P/1BG4+R1/LNS1KGSNL w 2Pb 12"
    position = Position(sfen)
    arrows = ["P*2e", "3c3d", "2b3c+"]
    given = json.dumps([{"move": move, "side": 1, "kind": "reply" if number else "best"}
                        for number, move in enumerate(arrows)])
    script = (ROOT / "usi/pages/data/page.js").read_text(encoding="utf-8")
    page = tmp_path / "board.html"
    page.write_text(f'<html><body><svg id="board" class="board"></svg><script>{script}</script></body></html>',
                    encoding="utf-8")
    seen = "true" if flipped else "false"
    browser.open(page)
    drawn = browser.see(f"(() => {{ drawBoard(board, parseSfen('{sfen}'), {{last: null, arrows: {given}, "
                        f"flipped: {seen}}}); return board.outerHTML; }})()")
    ours = re.sub(r"<style>.*?</style>", "", position.svg(arrows, flipped), flags=re.DOTALL)
    is_arrow = re.compile(r"arrow\b")
    board, page_board = ([each for each in shapes(svg) if not is_arrow.match(each[1])] for svg in (ours, drawn))
    more = [each for each in page_board if each not in board]
    assert [each for each in board if each not in page_board] == []
    # The page also names the ranks in letters, and shows the piece that an arrow drops.
    assert {name for name, *_ in more} <= {"text", "g", "path", "use"}
    moves = [{dict(where)["data-move"] for _name, kind, where, _text in shapes(svg) if is_arrow.match(kind)}
             for svg in (ours, drawn)]
    assert moves == [set(arrows), set(arrows)]


def test_the_picture_is_xml_and_marks_the_last_move() -> None:
    position = Position()
    assert 'class="last"' not in position._repr_svg_()
    position.push("7g7f")
    root = ElementTree.fromstring(position._repr_svg_())
    last, = (each for each in root if each.get("class") == "last")
    pawn, = (each for each in root if each.get("transform") == "translate(108 302) scale(1)")
    assert (float(last.get("x", 0)) + 20, float(last.get("y", 0)) + 22) == (108, 302)
    assert pawn.get("data-piece") == "P"
    position.push_null()
    assert 'class="last"' not in position.svg()
    with refused(about="move", text='7g7f"/>'):
        position.svg(arrows=['7g7f"/>'])


def test_a_picture_has_the_size_and_the_last_move_asked_for() -> None:
    position = Position()
    small = ElementTree.fromstring(position.svg(size=195, last_move="3c3d"))
    usual = ElementTree.fromstring(position.svg())
    assert (small.get("width"), usual.get("width")) == ("195", "390")
    assert int(small.get("height", 0)) == int(usual.get("height", 0)) // 2
    assert small.get("viewBox") == usual.get("viewBox")
    position.push("3g3f")
    assert 'class="last"' in position.svg()
    position = Position()
    for move in ("7g7f", "3c3d"):
        position.push(move)
    assert position.svg(last_move="3c3d") == position.svg() != position.svg(last_move="P*3e")
    with refused(about="move", text="3d"):
        position.svg(last_move="3d")
    with refused(name="size", number=0, least=1):
        position.svg(size=0)
