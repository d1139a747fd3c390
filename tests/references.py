"""References for many tests: cshogi, and positions with a known mate. PyPI has no build of it for some systems and
Pythons (the extra `references` in pyproject.toml): where it is not installed, the tests that use it are skipped, each
by its name."""
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest


class _Absent:
    def __getattr__(self, name: str) -> Any:
        if name.startswith(("_", "pytest")):    # attributes that pytest asks of every object
            raise AttributeError(name)
        pytest.skip("cshogi is not installed")


def _found() -> Any:
    if not find_spec("cshogi"):
        return _Absent()
    import cshogi
    import cshogi.CSA
    import cshogi.dlshogi
    import cshogi.KIF
    import cshogi.PGN
    import cshogi.usi

    return cshogi


cshogi = _found()


# -- Positions with a mate by checks, by the length of the shortest, and what is wrong with a line of mate -------------

@cache
def mates() -> dict[int, list[str]]:
    """SFENs by length in plies, of data/mates.tsv; the side to move is never in check."""
    found: dict[int, list[str]] = {}
    lines = (Path(__file__).parent / "data" / "mates.tsv").read_text(encoding="ascii").splitlines()
    _, *rows = [line.split("\t") for line in lines if not line.startswith("#")]
    for sfen, plies in rows:
        found.setdefault(int(plies), []).append(sfen)
    return found


def fault(sfen: str, moves: tuple[str, ...]) -> str:
    """The fault of a line by cshogi's rules; "" if every move is legal, the attacker always gives check, and it ends in
    mate."""
    board = cshogi.Board(sfen)
    for ply, usi in enumerate(moves):
        move = board.move_from_usi(usi)
        if move not in list(board.legal_moves):
            return f"{usi} is illegal at ply {ply}"
        board.push(move)
        if ply % 2 == 0 and not board.is_check():
            return f"{usi} gives no check at ply {ply}"
    return "" if len(moves) % 2 and board.is_check() and not list(board.legal_moves) else "no mate at the end"
