"""`go mate`, answered by the ordinary search: the whole line to the mate, or why there is none."""
import time
from collections.abc import Callable
from dataclasses import replace

from engine import Position
from search import Info, Limits, Searcher, Settings
from usi.protocol import is_mate


def solve(
    searcher: Searcher,
    position: Position,
    limits: Limits,
    settings: Settings,
    stopped: Callable[[], bool],
) -> str:
    """What stands behind `checkmate`: the moves to the mate, `nomate` or `timeout`.

    `nomate` is said only where it is proven: the side to move has no check to give, or is being mated itself.
    `limits.mate` is the time in ms, 0 for as long as `stopped()` is false.
    """
    if not any(position.gives_check(move) for move in position.legal_moves()):
        return "nomate"
    deadline = time.monotonic() + limits.mate / 1000 if limits.mate else None
    # A declaration wins the game, but it is no mate.
    settings = replace(settings, entering_king_rule="NoEnteringKing", multi_pv=1)
    node = position.copy()
    moves: list[str] = []
    # The table cuts principal variations short: the search goes on from the end of one until it stands on the mate.
    while not node.is_mate():
        left_ms = max(int((deadline - time.monotonic()) * 1000), 0) if deadline else None
        searcher.arm()      # before the question, so that a stop is seen either here or by the search
        if stopped() or left_ms == 0:
            return "timeout"
        heard: list[Info] = []
        result = searcher.search(node, replace(limits, mate=left_ms or 0), settings, heard.append)
        attacking = len(moves) % 2 == 0
        if not is_mate(result.score) or (result.score > 0) != attacking:
            return "nomate" if is_mate(result.score) and not moves else "timeout"
        for move in heard[-1].pv:
            node.push(move)
            moves.append(move)
    return " ".join(moves)
