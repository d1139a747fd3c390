"""Proof-number search against the whole graph of checks and answers, cycles included."""
from collections import deque
from random import Random

import pytest

from engine import Position
from search.mate import MateSolver
from tests.references import fault
from tests.search.conftest import sfen_of
from tests.search_probes import MateEntries


def identity(position: Position) -> str:
    return position.sfen.rsplit(" ", 1)[0]


def mates_in_graph(root: Position, limit: int) -> bool | None:
    """Whether the attacker can force mate, by working back from the mates in the graph of all checks and answers; None
    if that graph has more than `limit` positions. No repetition is an issue here: a forced mate needs none."""
    children: dict[str, list[str]] = {}
    parents: dict[str, list[str]] = {}
    attacking = {identity(root): True}
    waiting = deque([identity(root)])
    while waiting:
        name = waiting.popleft()
        position = Position(name + " 1")
        moves = position.legal_moves()
        if attacking[name]:
            moves = [move for move in moves if position.gives_check(move)]
        children[name] = []
        for move in moves:
            position.push(move)
            child = identity(position)
            position.pop()
            children[name].append(child)
            parents.setdefault(child, []).append(name)
            if child not in attacking:
                attacking[child] = not attacking[name]
                waiting.append(child)
        if len(attacking) > limit:
            return None
    won: set[str] = set()
    open_answers = {name: len(found) for name, found in children.items()}
    work = [name for name, found in children.items() if not attacking[name] and not found]
    while work:
        name = work.pop()
        if name in won:
            continue
        won.add(name)
        for parent in parents.get(name, ()):
            open_answers[parent] -= 1
            if attacking[parent] or open_answers[parent] == 0:
                work.append(parent)
    return identity(root) in won


def crowded_corner(rng: Random) -> Position | None:
    """A king in a corner among pieces of both sides, where checks can repeat and sometimes mate."""
    squares = rng.sample([file + rank for file in "1234" for rank in "abcd"], 9)
    board = {squares[0]: "k"}
    for square in squares[1:rng.randint(3, 5)]:
        board[square] = rng.choice(["R", "+R", "B", "+B", "G", "S", "N", "+P", "G", "S"])
    for square in squares[5:rng.randint(6, 10)]:
        board[square] = rng.choice(["p", "l", "s", "n", "g", "+p"])
    hand = rng.choice(["-", "P", "p", "G", "Pp", "g", "S", "Np"])
    try:
        return Position(sfen_of(board, "b", hand))
    except ValueError:
        return None


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "graphs", "least"), [(1, 40, 1), (2, 200, 4)])
def test_graphs_with_cycles(solver: MateSolver, seed: int, graphs: int, least: int) -> None:
    rng = Random(seed)
    mates_found = looked_at = 0
    while looked_at < graphs:
        position = crowded_corner(rng)
        expected = mates_in_graph(position, 400) if position else None
        if position is None or expected is None:
            continue
        looked_at += 1
        mates_found += expected
        result = solver.solve(position)
        assert result.outcome == ("mate" if expected else "nomate"), position.sfen
        assert not expected or fault(position.sfen, result.moves) == "", position.sfen
    assert least <= mates_found <= graphs - least


# -- The mate solver's table: ------------------------------------------------------------------------------------------

def test_growth_loses_no_entry_far_from_its_home() -> None:
    """Many keys share their home slot, so entries lie far behind it, and growing the table moves the homes."""
    rng = Random(1)
    for crowd in (1, 4, 40, 400):
        entries = MateEntries(8 << 20)
        keys = {rng.randrange(1, crowd << 64 - 14): number for number in range(2, 500)}
        for key, number in keys.items():
            entries.store(key, number)
        slots = entries.slots
        while slots < 100_000:
            assert entries.make_room()
            assert entries.slots > slots
            slots = entries.slots
            assert {key: entries.proof_number(key) for key in keys} == keys
            assert entries.used == len(keys)
