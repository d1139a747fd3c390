"""Explanations of the network's evaluation: what changes when a piece is left out
(`value_of` in eval/network/inference.pyx)."""
from dataclasses import asdict, dataclass
from typing import Any

from engine import Position
from engine.pieces import KING, SQUARES, WHITE_PIECE
from engine.sfen import parse_sfen
from eval.features import pieces_of
from eval.material import balance, worth
from eval.network import EvalNetwork, value_of
from usi.commands.explain.board import HEADING, in_hand, on_board, picture, score_line
from usi.words.language import _
from usi.words.wording import pad, pad_left


@dataclass(frozen=True)
class Removal:
    """Black's loss in centipawns when a piece is removed, by material and by the network."""

    material: int
    network: int

    @property
    def both(self) -> int:
        return self.material + self.network


@dataclass(frozen=True)
class NetworkExplanation:
    """The parts of an evaluation, in centipawns for Black. Without a king the network counts nothing. A network that
    counts the material itself has no separate material."""

    sfen: str
    material: int
    network: int
    removals: dict[str, Removal]        # by piece, as TablesExplanation names them; the kings are left out

    @property
    def for_black(self) -> int:
        return self.material + self.network

    @property
    def score(self) -> int:
        """The score for the side to move, in centipawns. (The search also keeps it out of the range of mate scores.)"""
        return -self.for_black if parse_sfen(self.sfen).turn else self.for_black


def explain(position: Position, network: EvalNetwork) -> NetworkExplanation:
    """The network's value of a position, and its values without each piece."""
    adds_material = network.form.adds_material
    board = position.placement.board
    if KING not in board or KING + WHITE_PIECE not in board:
        return NetworkExplanation(position.sfen, balance(position), 0, {})
    value, without = value_of(network, position)
    removals = {in_hand(piece, unit) if unit else on_board(piece, square):
                Removal(worth(piece) if adds_material else 0, value - other)
                for (_feature, piece, square, unit), other in zip(pieces_of(position), without, strict=True)}
    return NetworkExplanation(position.sfen, balance(position) if adds_material else 0, value, removals)


def as_json(found: NetworkExplanation) -> dict[str, Any]:
    """The object of `engine eval --json`."""
    return {**asdict(found), "for_black": found.for_black, "score": found.score}


def as_lines(found: NetworkExplanation, width: int | None = None) -> list[str]:
    """The lines for the terminal; a narrow terminal gets a picture that fits its columns."""
    lines = [f"{pad(_('for Black'), HEADING)} {pad_left(_('sum'), 9)}",
             *(f"{pad(name, HEADING)} {value:+9}" for name, value in (
                 (_("material"), found.material), (_("network"), found.network), (_("in all"), found.for_black)))]
    if found.removals:
        board = parse_sfen(found.sfen).board
        kings = {on_board(board[square], square): 0.0 for square in range(SQUARES)
                 if board[square] in (KING, KING + WHITE_PIECE)}
        shares = {name: float(removal.both) for name, removal in found.removals.items()}
        lines += ["", _("What Black loses without each piece, its material included:"), "",
                  *picture(found.sfen, shares | kings, width)]
    return [*lines, "", score_line(found.sfen, found.score)]
