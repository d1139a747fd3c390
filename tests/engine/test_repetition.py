"""Fourfold repetition and perpetual check, against a rule that compares whole positions one by one."""

import re
from collections import Counter
from random import Random

import pytest

from engine import Position
from engine.sfen import flip_move, flip_sfen
from tests import probes
from tests.each import each
from tests.engine.conftest import table
from tests.probes import repetition_in_search
from tests.references import cshogi

Square = tuple[int, int]  # file and rank, from 1
RANKS = "abcdefghi"
SHUFFLES = [
    "R7k/9/9/9/9/9/9/9/4K4 w - 1",
    "4k4/9/9/R8/9/9/8r/9/4K4 b - 1",
    "4k4/9/2r6/9/9/9/9/9/B3K4 w - 1",
    "4k4/9/9/9/9/9/9/9/4K4 b 6P6p 1",
]


class BruteForce:
    """The rule itself, on cshogi's board. It keeps every position of the game and whether its side to move is in
    check."""

    def __init__(self, sfen: str) -> None:
        self.board = cshogi.Board(sfen)
        self.positions: list[str] = []
        self.checks: list[bool] = []
        self.note()

    def note(self) -> None:
        self.positions.append(self.board.sfen().rsplit(" ", 1)[0])
        self.checks.append(self.board.is_check())

    def push(self, move: str) -> None:
        self.board.push_usi(move)
        self.note()

    def verdict(self) -> str:
        """The verdict by the rules of play, at the fourth occurrence."""
        occurrences = [i for i, position in enumerate(self.positions) if position == self.positions[-1]]
        return self.verdict_on_loop(occurrences[-4]) if len(occurrences) >= 4 else "none"

    def verdict_in_search(self, ply: int) -> tuple[str, int]:
        """The verdict at a node `ply` plies below the root, from the nearest earlier occurrence that counts, and the
        plies back to it."""
        now = len(self.positions) - 1
        for then in range(now - 2, -1, -2):
            after_root = now - then < ply
            if self.positions[then] == self.positions[now]:
                if after_root or self.positions[then:].count(self.positions[now]) == 4:
                    return self.verdict_on_loop(then), now - then
            elif after_root and self.board_at(then) == self.board_at(now):
                gained = self.hand_at(now) - self.hand_at(then)
                lost = self.hand_at(then) - self.hand_at(now)
                if not (gained and lost):
                    return "superior" if gained else "inferior", now - then
        return "none", 0

    def verdict_on_loop(self, start: int) -> str:
        # A move's check shows in the position after it; the last move was made by the side that now waits.
        checks = self.checks[start + 1 :]
        ours, theirs = all(checks[0::2]), all(checks[1::2])
        if ours == theirs:
            return "draw"
        return "loss" if ours else "win"

    def board_at(self, index: int) -> str:
        return self.positions[index].rsplit(" ", 1)[0]

    def hand_at(self, index: int) -> Counter[str]:
        """The hand of the side to move."""
        _, turn, hands = self.positions[index].split()
        counts = {letter: int(count or 1) for count, letter in re.findall(r"(\d*)([A-Za-z])", hands)}
        return Counter({letter: n for letter, n in counts.items() if letter.isupper() == (turn == "b")})


def expanded(game: str) -> list[str]:
    """The moves of a game in which (a b)*3 stands for three laps."""
    return re.sub(r"\(([^)]*)\)\*(\d+)", lambda lap: " ".join([lap[1]] * int(lap[2])), game).split()


def assert_verdicts(sfen: str, moves: list[str], last: str) -> None:
    """Assert the verdicts, also with the board turned round and the sides exchanged."""
    for start, game in ((sfen, moves), (flip_sfen(sfen), map(flip_move, moves))):
        position, rule = Position(start), BruteForce(start)
        for move in game:
            position.push(move)
            rule.push(move)
            assert position.repetition() == rule.verdict(), f"{start} moves {position.moves}"
        assert position.repetition() == last


@each(*table("repetition.tsv"))
def test_cases(name: str, sfen: str, game: str, verdict: str) -> None:
    assert_verdicts(sfen, expanded(game), verdict)


def steps(squares: list[Square]) -> list[str]:
    """A piece's moves through these squares and back to the first."""
    names = [f"{file}{RANKS[rank - 1]}" for file, rank in squares]
    return [origin + target for origin, target in zip(names, names[1:] + names[:1], strict=True)]


def alternating(ours: list[str], theirs: list[str]) -> list[str]:
    return [move for pair in zip(ours, theirs, strict=True) for move in pair]


@pytest.mark.parametrize("plies", range(4, 21, 2))
def test_quiet_laps_of_every_length(plies: int) -> None:
    """Both kings walk around two neighbouring ranks, out along one and home along the other."""
    length = plies // 2
    out, home = range(1, length // 2 + 1), range(length - length // 2, 0, -1)
    black = steps([(file, 8) for file in out] + [(file, 9) for file in home])
    white = steps([(file, 2) for file in out] + [(file, 1) for file in home])
    lap = alternating(black, white)
    sfen = "9/8k/9/9/9/9/9/8K/9 b - 1"
    assert_verdicts(sfen, lap * 3, "draw")
    assert_verdicts(sfen, (lap * 3)[:-1], "none")


@pytest.mark.parametrize("plies", range(4, 21, 4))
def test_checking_laps_of_every_length(plies: int) -> None:
    """A rook on the ninth file follows a king, which goes down the first file and up the second, to each rank."""
    half = plies // 4
    ranks = list(range(1, half + 1)), list(range(half + 1, 1, -1))
    king = steps([(1, rank) for rank in ranks[0]] + [(2, rank) for rank in ranks[1]])
    rook = steps([(9, rank) for rank in ranks[0] + ranks[1]])
    sfen = "R7k/9/9/9/9/9/9/9/4K4 w - 1"
    lap = alternating(king, rook)
    assert_verdicts(sfen, lap * 3, "win")
    assert_verdicts(sfen, [*lap * 3, lap[0]], "loss")


def shuffling_move(position: Position, rng: Random) -> str:
    """A random move, mostly a check or the last move back, so that repetitions come soon."""
    moves, played = position.legal_moves(), position.moves
    checks = [move for move in moves if position.gives_check(move)]
    back = [move for move in moves if len(played) > 1 and move == played[-2][2:] + played[-2][:2]]
    if checks and rng.random() < 0.8:
        return min(checks)
    return rng.choice(back if back and rng.random() < 0.8 else moves)


def test_random_shuffling_agrees() -> None:
    rng = Random(3)
    verdicts = []
    for _ in range(300):
        sfen = rng.choice(SHUFFLES)
        position, rule = Position(sfen), BruteForce(sfen)
        while len(position.moves) < 100 and not position.is_mate() and position.repetition() == "none":
            move = shuffling_move(position, rng)
            position.push(move)
            rule.push(move)
            assert position.repetition() == rule.verdict(), f"{sfen} moves {position.moves}"
        verdicts.append(position.repetition())
    assert min(verdicts.count(verdict) for verdict in ("draw", "win", "loss")) >= 10


def test_search_sees_repeats_after_the_root_and_better_hands() -> None:
    """Compared at every ply of shuffling games, for a root at every earlier ply. If no position before the root has
    occurred three times, the part after the root gives the same verdict as the whole game."""
    rng = Random(5)
    seen: Counter[str] = Counter()
    cut_short = 0
    for _ in range(75):
        sfen = rng.choice(SHUFFLES)
        position, rule = Position(sfen), BruteForce(sfen)
        occurred_thrice = [False]
        while len(position.moves) < 40 and not position.is_mate():
            move = shuffling_move(position, rng)
            position.push(move)
            rule.push(move)
            occurred_thrice.append(probes.occurred_thrice(position))
            assert position.repetition_in_search() == rule.verdict_in_search(len(position.moves) + 1)[0]
            for ply in range(len(position.moves) + 1):
                expected = rule.verdict_in_search(ply)
                whole_game = occurred_thrice[len(position.moves) - ply]
                for looked_back in {True, whole_game}:
                    assert repetition_in_search(position, ply, looked_back) == expected, (
                        f"{sfen} moves {position.moves}, ply {ply}, {looked_back}")
                cut_short += not whole_game
                seen[expected[0]] += 1
    assert 500 <= cut_short < seen.total()
    assert min(seen[verdict] for verdict in ("none", "draw", "win", "loss", "superior", "inferior")) >= 50, seen
