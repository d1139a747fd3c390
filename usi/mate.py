"""`go mate`, answered by the ordinary search: a whole line to the mate, or why there is none."""
import time
from collections.abc import Callable
from dataclasses import replace

from engine import Position
from search import Limits, Searcher, Settings
from usi.protocol import is_mate


def solve(
    searcher: Searcher, position: Position, limits: Limits, settings: Settings, stopped: Callable[[], bool]
) -> str:
    """What stands behind `checkmate`: the moves to the mate, `nomate` or `timeout`.

    `nomate` is said only where it is proven: there is no check to give, or each one gets the side to move mated.
    `limits.mate` is the time in ms, 0 for as long as `stopped()` is false.
    """
    deadline = time.monotonic() + limits.mate / 1000 if limits.mate else None
    # Neither a declaration nor the limit of a game has a place in a problem, and the defence does not resign; a move
    # without a promotion may be the one that a dropped pawn must not mate.
    settings = replace(settings, entering_king_rule="NoEnteringKing", max_moves=0, multi_pv=1, resign_value=99999,
                       generate_all_legal_moves=True)
    node = position.copy()
    moves: list[str] = []
    # Principal variations may end early, and may hold quiet moves, which a solution must not: each move gets a search
    # of its own, on a table that knows the mate already.
    while not moves or not node.is_mate():
        attacking = len(moves) % 2 == 0
        checks = tuple(move for move in node.legal_moves() if node.gives_check(move)) if attacking else ()
        if attacking and not checks:
            return "timeout" if moves else "nomate"
        left_ms = max(int((deadline - time.monotonic()) * 1000), 0) if deadline else None
        searcher.arm()      # before the question, so that a stop is seen either here or by the search
        if stopped() or left_ms == 0:
            return "timeout"
        result = searcher.search(node, replace(limits, mate=left_ms or 0, searchmoves=checks), settings)
        if not is_mate(result.score) or (result.score > 0) != attacking:
            return "nomate" if is_mate(result.score) and not moves else "timeout"
        node.push(result.bestmove)
        moves.append(result.bestmove)
    return " ".join(moves)
