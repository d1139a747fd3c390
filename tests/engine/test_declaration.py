"""Declaration by entering king and the try rule, against counting on the SFEN's text and cshogi."""

import re
from random import Random

from engine import BLACK, WHITE, Position
from engine.pieces import GOLD, KING, PAWN, PROMOTED, SET, SQUARES, WHITE_PIECE
from engine.sfen import Placement, format_sfen
from tests.each import each
from tests.engine.conftest import table
from tests.faults import refused
from tests.references import cshogi

RULES = ("CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule")
POINTS = {"R": 5, "B": 5, "G": 1, "S": 1, "N": 1, "L": 1, "P": 1, "K": 0}


def points(letters: str) -> int:
    return sum(POINTS[letter.upper()] for letter in letters if letter != "+")


def rules_by_counting(sfen: str) -> list[str]:
    """The rules by which the side to move may declare, counted on the letters of the SFEN; cshogi judges check and the
    king's moves."""
    rows, turn, hands, _ = sfen.split()
    board = cshogi.Board(sfen)
    own = str.isupper if turn == "b" else str.islower
    hands = re.sub(r"(\d+)(\w)", lambda some: some[2] * int(some[1]), hands).strip("-")
    camp = "".join(rows.split("/")[:3] if turn == "b" else rows.split("/")[6:])
    ours_in_camp = "".join(filter(own, camp))
    score = points(ours_in_camp) + points("".join(filter(own, hands)))
    missing = 54 - points("".join(filter(str.isalpha, rows + hands)))
    lowered = missing if turn == "w" else 0
    entered = "K" in ours_in_camp.upper() and len(ours_in_camp) > 10 and not board.is_check()
    needed = {"CSARule24": 31, "CSARule24H": 31 - lowered, "CSARule27": 28 if turn == "b" else 27}
    needed["CSARule27H"] = needed["CSARule27"] - lowered
    holding = [rule for rule, least in needed.items() if entered and score >= least]
    goal = cshogi.SQUARE_NAMES.index("5a" if turn == "b" else "5i")
    kings = [square for square, piece in enumerate(board.pieces) if piece in (cshogi.BKING, cshogi.WKING)]
    if any(cshogi.move_to(move) == goal and cshogi.move_from(move) in kings for move in board.legal_moves):
        holding.append("TryRule")
    return holding


def rules_that_hold(position: Position) -> list[str]:
    assert not position.can_declare("NoEnteringKing")
    return [rule for rule in RULES if position.can_declare(rule)]


@each(*table("declaration.tsv"))
def test_cases(name: str, sfen: str, rules: str) -> None:
    expected = [] if rules == "none" else rules.split()
    assert rules_that_hold(Position(sfen)) == expected
    assert rules_by_counting(sfen) == expected


def assert_points(position: Position) -> None:
    """Assert the points of both sides by the letters of the SFEN, and that they decide for the side to move."""
    rows, _, hands, _ = position.sfen.split()
    hands = re.sub(r"(\d+)(\w)", lambda some: some[2] * int(some[1]), hands)
    for side, own, camp in ((BLACK, str.isupper, rows.split("/")[:3]), (WHITE, str.islower, rows.split("/")[6:])):
        in_camp = "".join(filter(own, "".join(camp)))
        in_hand = "".join(filter(own, hands.strip("-")))
        found = position.declaration("CSARule24", side)
        assert found == (points(in_camp) + points(in_hand), 31, len(in_camp) - ("K" in in_camp.upper()),
                         "K" in in_camp.upper())
        assert position.declaration("CSARule27", side) == found._replace(needed=28 if side == BLACK else 27)
    for rule in RULES[:-1]:
        asked = position.declaration(rule)
        assert position.can_declare(rule) == (asked.has_entered and asked.pieces >= 10 and not position.in_check
                                              and asked.points >= asked.needed)


def test_what_counts_no_points_is_refused() -> None:
    for rule in ("TryRule", "NoEnteringKing"):
        with refused(rule=rule):
            Position().declaration(rule)
    with refused(rule="CSA", rules=...):
        Position().declaration("CSA")


def promoted(kind: int) -> int:
    return kind if kind == GOLD else kind + PROMOTED


def entering_king(rng: Random) -> str | None:
    """A random position in which the mover's king is mostly in the far camp, with about as many pieces and points as a
    declaration needs. None if the random placement is not legal."""
    squares = list(range(SQUARES))
    rng.shuffle(squares)
    squares.sort(key=lambda square: square % 9 > 2)  # those of Black's far camp first
    kinds = [kind for kind in range(PAWN, KING) for _ in range(SET[kind])]
    rng.shuffle(kinds)
    del kinds[: rng.choice([0, 0, 1, 2, 6])]
    board = [0] * SQUARES
    board[squares.pop(0 if rng.random() < 0.8 else -1)] = KING
    board[squares.pop()] = KING + WHITE_PIECE
    for _ in range(rng.randint(8, 12)):
        board[squares.pop(0)] = promoted(kinds.pop())
    for _ in range(rng.randint(0, 3)):
        board[rng.choice(squares)] = promoted(kinds.pop()) + WHITE_PIECE
    share = rng.randint(len(kinds) // 3, len(kinds))
    hands = [[part.count(kind) for kind in range(KING)] for part in (kinds[:share], kinds[share:])]
    turn = rng.choice([BLACK, WHITE])
    if turn == WHITE:
        board = [piece and piece ^ WHITE_PIECE for piece in reversed(board)]
        hands.reverse()
    try:
        return Position(format_sfen(Placement(board, (hands[0], hands[1]), turn, 1))).sfen
    except ValueError:
        return None


def test_random_positions_agree() -> None:
    rng = Random(4)
    sfens = [sfen for _ in range(1500) if (sfen := entering_king(rng))]
    found = []
    for sfen in sfens:
        holding = rules_that_hold(Position(sfen))
        assert holding == rules_by_counting(sfen), sfen
        assert_points(Position(sfen))
        declared = "CSARule27" in holding
        assert cshogi.Board(sfen).is_nyugyoku() == declared, sfen
        found += holding
    # Each rule has to have been seen at work and at rest.
    assert all(len(sfens) / 50 < found.count(rule) < len(sfens) * 0.9 for rule in RULES)
