"""Legal moves, the attacks of sliders, and counts of move sequences, against other programs and exhaustive search."""
from random import Random

import pytest

from engine import BLACK, WHITE, Position
from engine.system.cpu import DEBUG
from tests.each import each
from tests.engine.conftest import table
from tests.probes import count_legal, generate, is_legal16, key_after, move16, sliding_attacks, usi

PAWN, LANCE, BISHOP, ROOK = 1, 2, 5, 6
EVERY_16_BITS = range(1 << 16)


def kind_that_moves(position: Position, move: str) -> int:
    return position.piece_at(move[:2]) & 15


def is_never_better(position: Position, move: str) -> bool:
    """Whether a move declines a promotion that is never worse: of a pawn, a bishop or a rook, or of a lance that moves
    to its second-last rank."""
    if "*" in move or move.endswith("+"):
        return False
    zone, second_rank = ("abc", "b") if position.turn == BLACK else ("ghi", "h")
    kind = kind_that_moves(position, move)
    if kind in (BISHOP, ROOK):
        return move[1] in zone or move[3] in zone
    return (kind == PAWN and move[3] in zone) or (kind == LANCE and move[3] == second_rank)


def is_capture(position: Position, move: str) -> bool:
    return "*" not in move and position.piece_at(move[2:4]) != 0


@pytest.fixture(scope="module")
def positions(varied_sfens: list[str]) -> list[Position]:
    return [Position(sfen) for sfen in varied_sfens]


@pytest.fixture(scope="module")
def calm(positions: list[Position]) -> list[Position]:
    return [position for position in positions if not position.in_check]


@pytest.fixture(scope="module")
def in_check(positions: list[Position]) -> list[Position]:
    return [position for position in positions if position.in_check]


def generated(position: Position, name: str) -> set[str]:
    """The moves of a generator, none of which may come twice."""
    moves = generate(position, name)
    assert len(set(moves)) == len(moves), f"{name} repeats a move in {position.sfen}"
    return set(moves)


def test_legal_moves_are_those_of_all_16_bit_patterns_that_pass_is_legal(positions: list[Position]) -> None:
    for position in positions[::10]:
        passed = {move for move in EVERY_16_BITS if is_legal16(position, move)}
        assert passed == {move16(move) for move in generated(position, "legal")}, position.sfen


def test_count_and_mate_agree_with_the_legal_moves(positions: list[Position]) -> None:
    for position in positions:
        legal = generated(position, "legal")
        assert count_legal(position) == len(legal), position.sfen
        assert position.is_mate() == (not legal), position.sfen


def test_captures_and_quiets_make_up_the_legal_moves_that_matter(calm: list[Position]) -> None:
    for position in calm:
        captures, quiets = generated(position, "captures"), generated(position, "quiets")
        worthwhile = {move for move in generated(position, "legal") if not is_never_better(position, move)}
        assert not captures & quiets, position.sfen
        assert captures | quiets == worthwhile, position.sfen


def test_captures_capture_or_promote_a_pawn(calm: list[Position]) -> None:
    for position in calm:
        for move in generated(position, "captures"):
            assert is_capture(position, move) or (move.endswith("+") and kind_that_moves(position, move) == PAWN), move
        for move in generated(position, "quiets"):
            assert not is_capture(position, move), f"{move} in {position.sfen}"


def test_evasions_are_the_legal_moves_that_matter(in_check: list[Position]) -> None:
    assert len(in_check) > 50
    for position in in_check:
        worthwhile = {move for move in generated(position, "legal") if not is_never_better(position, move)}
        assert generated(position, "evasions") == worthwhile, position.sfen


def test_checks_are_the_legal_moves_that_give_check(positions: list[Position]) -> None:
    for position in positions:
        checks = {move for move in position.legal_moves() if position.gives_check(move)}
        assert generated(position, "checks") == checks, position.sfen


def test_a_move_s_check_and_key_are_foreseen(positions: list[Position]) -> None:
    for position in positions[::2]:
        for move in position.legal_moves():
            expected = position.gives_check(move), key_after(position, move)
            position.push(move)
            found = position.in_check, position.key
            position.pop()
            assert found == expected, f"{move} in {position.sfen}"


def test_moves_pass_through_16_bits_unchanged(positions: list[Position]) -> None:
    for position in positions:
        for move in position.legal_moves():
            assert usi(move16(move)) == move


@each(("sfen", "move", "legal"), [
    ("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5e", False),  # two pawns on a file
    ("4k4/9/9/9/9/9/4+P4/9/4K4 b P 1", "P*5e", True),  # a promoted one does not count
    ("4k4/9/9/9/9/9/4p4/9/4K4 b P 1", "P*5d", True),  # nor the other side's
    ("k8/9/9/9/9/9/9/9/4K4 b PLN 1", "P*5a", False),  # could never move
    ("k8/9/9/9/9/9/9/9/4K4 b PLN 1", "L*5a", False),
    ("k8/9/9/9/9/9/9/9/4K4 b PLN 1", "N*5b", False),
    ("k8/9/9/9/9/9/9/9/4K4 b PLN 1", "L*5b", True),
    ("k8/4P4/9/9/9/9/9/9/4K4 b - 1", "5b5a", False),
    ("k8/4P4/9/9/9/9/9/9/4K4 b - 1", "5b5a+", True),
    ("k8/9/4N4/9/9/9/9/9/4K4 b - 1", "5c4a", False),
    ("8k/6G2/7G1/9/9/9/9/9/K8 b P 1", "P*1b", False),  # mate by a dropped pawn
    ("8k/6G2/7G1/8P/9/9/9/9/K8 b - 1", "1d1c", True),
    ("8k/6G2/7GP/9/9/9/9/9/K8 b - 1", "1c1b", True),  # by one that moves
    ("8k/6G2/7G1/9/9/9/9/9/K8 b L 1", "L*1b", True),  # by a dropped lance
    ("4R2sk/9/7G1/9/9/9/9/9/K8 b P 1", "P*1b", False),  # the only taker is pinned
    ("7sk/9/7G1/9/9/9/9/9/K8 b P 1", "P*1b", True),
    ("8k/6G2/7Gg/8L/9/9/9/9/K8 b P 1", "P*1b", True),  # pinned on the file, it may take
    ("3lkl3/R8/9/9/9/9/9/9/4K4 b P 1", "P*5b", True),  # no mate: it shuts its own rook out from 4b
    ("4k4/9/9/4r4/9/9/4G4/9/4K4 b - 1", "5g4g", False),  # pinned
    ("4k4/9/9/4r4/9/9/4G4/9/4K4 b - 1", "5g5f", True),  # along the line
    ("4k4/9/9/9/4r4/9/9/9/4K4 b P 1", "P*5h", True),  # in between
    ("4k4/9/9/9/4r4/9/9/9/4K4 b P 1", "P*4h", False),
    ("4k4/9/9/9/4r4/9/9/9/4K4 b P 1", "5i5h", False),  # the king cannot flee along the line
])
def test_rules_of_movement(sfen: str, move: str, legal: bool) -> None:
    position = Position(sfen)
    assert position.is_legal(move) == legal
    assert (move in position.legal_moves()) == legal


# -- A slider's attacks, by each of the lookups that a build may choose (GAKUSHI_SLIDERS in setup.py) ------------------

HORSE, DRAGON = 13, 14
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
SLIDES = {BISHOP: DIAGONAL, ROOK: STRAIGHT, HORSE: DIAGONAL, DRAGON: STRAIGHT}
STEPS = {BISHOP: [], ROOK: [], HORSE: STRAIGHT, DRAGON: DIAGONAL}


def walked(kind: int, square: int, occupied: int) -> int:
    attacked = 0
    for files, ranks, reach in [*((*way, 8) for way in SLIDES[kind]), *((*way, 1) for way in STEPS[kind])]:
        for distance in range(1, reach + 1):
            file, rank = square // 9 + files * distance, square % 9 + ranks * distance
            if not (0 <= file < 9 and 0 <= rank < 9):
                break
            attacked |= 1 << (9 * file + rank)
            if occupied >> (9 * file + rank) & 1:
                break
    return attacked


@pytest.mark.parametrize("kind", SLIDES)
def test_each_lookup_finds_what_a_walk_along_the_lines_finds(kind: int) -> None:
    rng = Random(kind)
    for square in range(81):
        for pieces in (0, 1 << square, (1 << 81) - 1, *(rng.getrandbits(81) & rng.getrandbits(81) for _ in range(20)),
                       *(rng.getrandbits(81) for _ in range(10))):
            for color in (BLACK, WHITE):
                assert sliding_attacks(color, kind, square, pieces) == [walked(kind, square, pieces)] * 3


# -- Counts of move sequences, against those that two other programs agree on ------------------------------------------

COUNTED_LEAVES = 5_000_000 if DEBUG else 100_000_000    # a debug build validates every node on the way
PLAYED_LEAVES = 200_000  # most leaves that are also made and unmade one by one


@each(*table("perft.tsv"))
@each(("bulk", "most"), [(True, COUNTED_LEAVES), (False, PLAYED_LEAVES)])
def test_counts(sfen: str, name: str, counts: str, bulk: bool, most: int) -> None:
    expected = [1, *(count for count in map(int, counts.split()) if count <= most)]
    position = Position(sfen)
    assert [position.perft(depth, bulk=bulk) for depth in range(len(expected))] == expected, name


@pytest.mark.slow
@pytest.mark.skipif(DEBUG, reason="a debug build validates every node on the way")
@each(*table("perft.tsv"))
def test_counts_to_the_last(sfen: str, name: str, counts: str) -> None:
    *_, last = counts.split()
    assert int(last) <= COUNTED_LEAVES or Position(sfen).perft(len(counts.split())) == int(last), name
