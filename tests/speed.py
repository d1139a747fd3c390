"""Compare the library's speed with other shogi libraries, on the same random games.

    python -m tests.speed

Libraries that are not installed are skipped: cshogi, rsshogi and python-shogi come with `pip install gakushi[test]`.
The table shows thousands a second, each followed by its ratio to Gakushi. Times are processor times, the best of ROUNDS
rounds in which all take turns, so that a busy machine slows all alike.
"""
import importlib
import time
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine import Position
from engine.packed import move16, packed, unpacked
from engine.records.csa import format_csa, parse_csa
from engine.records.kif import format_kif, parse_kif
from engine.records.record import GameRecord
from eval.learning.feature_planes import planes_and_labels
from eval.learning.records import PSV
from scripts.cli.command import command
from scripts.games.tally import text_table

ROUNDS = 7
GAMES = 40
PLIES = 110

Task = tuple[Callable[[Any], object], Sequence[Any]]        # what is timed, and for which inputs, or arrays of them


class Games(NamedTuple):
    sfens: list[str]
    moves: list[str]        # one for each position
    packed: list[bytes]     # as YaneuraOu does
    csa: list[str]          # whole games, with times and comments
    kif: list[str]

    @property
    def training(self) -> NDArray[Any]:
        """The positions and moves as training data, PSV."""
        data = np.zeros(len(self.packed), PSV)
        data["sfen"] = np.frombuffer(b"".join(self.packed), np.uint8).reshape(-1, 32)
        data["move"] = [move16(move) for move in self.moves]
        return data


def random_games() -> Games:
    rng = Random(1)
    games = Games([], [], [], [], [])
    for _ in range(GAMES):
        position = Position()
        while position.move_number <= PLIES and (legal := position.legal_moves()):
            move = rng.choice(sorted(legal))
            if position.move_number % 10 == 0:
                games.sfens.append(position.sfen)
                games.moves.append(move)
                games.packed.append(packed(position))
            position.push(move)
        plies = range(1, len(position.moves) + 1)
        record = GameRecord(moves=position.moves, names=("A", "B"), terminal="TORYO",
                            times={ply: float(rng.randrange(90)) for ply in plies},
                            comments={ply: f"* {rng.randint(-900, 900)}" for ply in plies})
        games.csa.append(format_csa(record))
        games.kif.append(format_kif(record))
    return games


def ours(games: Games) -> list[Task]:
    positions = [Position(sfen) for sfen in games.sfens]

    def play(given: tuple[Position, str]) -> None:
        given[0].push(given[1])
        given[0].pop()

    return [(Position, games.sfens), (lambda position: position.sfen, positions), (Position.legal_moves, positions),
            (play, list(zip(positions, games.moves, strict=True))), (unpacked, games.packed),
            (parse_csa, games.csa), (parse_kif, games.kif), (planes_and_labels, [games.training])]


def push(given: tuple[Any, str]) -> None:
    """A move, as the others have it."""
    given[0].push_usi(given[1])
    given[0].pop()


def cshogi(games: Games) -> list[Task]:
    library = importlib.import_module("cshogi")
    csa, kif = (importlib.import_module(f"cshogi.{name}") for name in ("CSA", "KIF"))
    label = importlib.import_module("cshogi.dlshogi").make_move_label
    positions, board = [library.Board(sfen) for sfen in games.sfens], library.Board()

    def learn(data: NDArray[Any]) -> None:
        """cshogi has planes of the pieces on the board alone, and fills those of one position at a time."""
        planes, labels = np.zeros((len(data), 28, 9, 9), np.float32), np.zeros(len(data), np.int64)
        for i, record in enumerate(data):
            board.set_psfen(record["sfen"])
            (board.piece_planes_rotate if board.turn else board.piece_planes)(planes[i])
            labels[i] = label(board.move_from_psv(int(record["move"])), board.turn)

    return [(library.Board, games.sfens), (library.Board.sfen, positions),
            (lambda each: list(each.legal_moves), positions), (push, list(zip(positions, games.moves, strict=True))),
            (board.set_psfen, [np.frombuffer(bits, np.uint8) for bits in games.packed]),
            (csa.Parser.parse_str, games.csa), (kif.Parser.parse_str, games.kif), (learn, [games.training])]


def rsshogi(games: Games) -> list[Task]:
    core, record = (importlib.import_module(f"rsshogi.{name}") for name in ("core", "record"))
    positions, board = [read(core.Board(), sfen) for sfen in games.sfens], core.Board()

    return [(lambda sfen: core.Board().set_sfen(sfen), games.sfens), (core.Board.to_sfen, positions),
            (core.Board.legal_moves, positions), (push, list(zip(positions, games.moves, strict=True))),
            (board.set_packed_sfen, games.packed), (record.Record.from_csa_str, games.csa),
            (record.Record.from_kif_str, games.kif), (len, [])]


def read(board: Any, sfen: str) -> Any:
    board.set_sfen(sfen)
    return board


def python_shogi(games: Games) -> list[Task]:
    library, csa, kif = (importlib.import_module(name) for name in ("shogi", "shogi.CSA", "shogi.KIF"))
    positions = [library.Board(sfen) for sfen in games.sfens]

    return [(library.Board, games.sfens), (library.Board.sfen, positions),
            (lambda each: list(each.legal_moves), positions), (push, list(zip(positions, games.moves, strict=True))),
            (len, []), (csa.Parser.parse_str, games.csa), (kif.Parser.parse_str, games.kif), (len, [])]


LIBRARIES = {"gakushi": ours, "cshogi": cshogi, "rsshogi": rsshogi, "python-shogi": python_shogi}
ROWS = ("an SFEN read", "an SFEN written", "all legal moves", "a move made and taken back", "32 bytes unpacked",
        "a CSA record of 110 moves read", "a KIF record of 110 moves read", "planes and label of a training record")


def rate(task: Task) -> float:
    """Thousands a second."""
    run, given = task
    start = time.process_time()
    for each in given:
        run(each)
    taken = time.process_time() - start
    return sum(len(each) if getattr(each, "dtype", None) == PSV else 1 for each in given) / taken / 1000


def compared(libraries: Iterable[list[Task]]) -> Iterable[list[float]]:
    """A list for each row."""
    for tasks in zip(*libraries, strict=True):
        yield [max(rates) for rates in zip(*([rate(task) for task in tasks] for _ in range(ROUNDS)), strict=True)]


@command(__doc__)
def main() -> None:
    games = random_games()
    made = {}
    for name, tasks in LIBRARIES.items():
        try:
            made[f"{name} {version(name)}"] = tasks(games)
        except ImportError as error:
            print(f"{name} is left out: {error}")
    print(*text_table([["thousands a second", *made],
                       *([row, f"{own:,.1f}", *(f"{each:,.1f} ({each / own:.2f})" if each else "-" for each in others)]
                         for row, (own, *others) in zip(ROWS, compared(made.values()), strict=True))]), sep="\n")


if __name__ == "__main__":
    main()
