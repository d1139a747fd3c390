"""Changes to a record: the moves and variations that a reader has made on the page."""
from dataclasses import dataclass, replace

from engine.errors import UserError
from engine.records.record import GameRecord

MOST_MOVES = 2000       # of a line
MOST_LINES = 1000


@dataclass(frozen=True)
class Variation:
    """A variation as the page has it, whatever line it leaves: all moves from the ply of the game that it replaces.
    Comments are by the number of moves behind which they stand."""

    ply: int
    pv: tuple[str, ...]
    comments: dict[str, str]


def changed(record: GameRecord, moves: tuple[str, ...], lines: tuple[Variation, ...]) -> GameRecord:
    """The record with other moves and variations. Comments and times of moves that are still there stay. Raises
    UserError for a move that is not legal, and for more moves than a record may have."""
    if len(moves) > MOST_MOVES or len(lines) > MOST_LINES or any(len(line.pv) > MOST_MOVES for line in lines):
        raise UserError("this is more than a record holds: at most {moves} moves and {lines} variations",
                        moves=MOST_MOVES, lines=MOST_LINES)
    same = next((ply for ply, (old, new) in enumerate(zip(record.moves, moves, strict=False)) if old != new),
                min(len(record.moves), len(moves)))
    game = replace(record, moves=list(moves), variations={}, faults=[],
                   comments={ply: text for ply, text in record.comments.items() if ply <= same},
                   times={ply: seconds for ply, seconds in record.times.items() if ply <= same},
                   remarks={ply: kept for ply, kept in record.remarks.items() if ply <= same},
                   terminal=record.terminal if list(moves) == record.moves else None)
    game.position()
    for line in lines:
        if not 1 <= line.ply <= len(moves) + 1 or not line.pv:
            raise UserError("a variation begins at move {ply} of {count}", ply=line.ply, count=len(moves))
        _add(game, line.ply, line.pv, {int(at): text for at, text in line.comments.items() if at.isdecimal()})
    return game


def _add(record: GameRecord, ply: int, moves: tuple[str, ...], comments: dict[int, str]) -> None:
    """Add a line that replaces the move at `ply`. As far as it agrees with a known variation, it is merged into
    that."""
    found = next((each for each in record.variations.get(ply, []) if each.moves[0] == moves[0]), None)
    if found is None:
        found = GameRecord(record.position(ply - 1).sfen, [])
        record.variations.setdefault(ply, []).append(found)
    shared = next((number for number, (one, other) in enumerate(zip(found.moves, moves, strict=False)) if one != other),
                  min(len(found.moves), len(moves)))
    for at, text in comments.items():
        if 0 < at <= shared:
            found.comments.setdefault(at, text)
    if shared == len(found.moves):
        found.moves.extend(moves[shared:])
        found.position()
        found.comments.update({at: text for at, text in comments.items() if shared < at <= len(moves)})
    elif shared < len(moves):
        _add(found, shared + 1, moves[shared:], {at - shared: text for at, text in comments.items() if at > shared})
