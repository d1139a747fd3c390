"""Make the opening file for matches: natural, varied and, as far as the engine sees, balanced.

    python -m scripts.studies.make_openings [--count N] [--seed N] [--jobs N] [--out FILE]

Every opening is 8 to 16 moves long and made by drawing from the moves that development consists of: pawns that open
lines, rooks to their files, kings, golds and silvers to where castles have them. A move after which a short search by
the packaged weights sees more than BALANCE for either side is taken back and drawn again; the position at the end has
to pass a longer one and be quiet. The same seed and the same engine make the same file, however many jobs there are.
"""
from itertools import count
from pathlib import Path
from random import Random

import click

from engine import Position
from engine.notation.flip import flip_move
from scripts.cli.command import command
from scripts.cli.options import COUNT, FILE, jobs_option, seed_option
from scripts.cli.progress import progress_bar
from scripts.games.openings import OPENINGS
from search import Limits, Searcher, Settings
from usi.workers.kept import load_once
from usi.workers.pool import in_order, worker_pool
from usi.writing import write_file

BALANCE = 120           # centipawns
LENGTHS = range(8, 17)
NODES_PER_MOVE = 1000
NODES_AT_THE_END = 20000
ATTEMPTS = 50           # draws for one move, after which the opening is given up

# Black's developing moves and how readily each is drawn; White's are the same, seen from the other side.
DEVELOPMENT = {
    8: "7g7f 2g2f",
    4: "2f2e 6g6f 5g5f 3i4h 7i6h 5i6h 3g3f 4g4f",
    3: "2h6h 2h5h 2h7h 7i7h 6i7h 4i5h 9g9f 1g1f 5i4h 3i3h 8h7g",
    2: "2h8h 2e2d 4h4g 4h3g 4h5g 6h7g 6h5g 7h6g 4i3h 6h7h 4h3h 3h2h 7f7e 8g8f 2i3g 5h6g 4g5f 5i5h 2h4h 2h3h 8h2b+ 8b2h",
    1: "6f6e 5f5e 4f4e 3f3e 8f8e 9f9e 1f1e 8i7g 2h2f 2h2d 6i5h 6i6h 3h2g 6g5f 8h6f 8h5e 7h8h",
}

WEIGHTS = {move: weight for weight, moves in DEVELOPMENT.items() for move in moves.split()}
WEIGHTS_OF = (WEIGHTS, {flip_move(move): weight for move, weight in WEIGHTS.items()})


def captures(position: Position, move: str) -> bool:
    return "*" not in move and position.piece_at(move[2:4]) != 0


def recaptures(position: Position) -> list[str]:
    """Legal captures on the square of the last move."""
    target = position.moves[-1][2:4] if position.moves else ""
    return [move for move in position.legal_moves() if move[2:4] == target and captures(position, move)]


class Maker:
    """Draws openings."""

    def __init__(self) -> None:
        self.searcher = Searcher(hash_mb=16, own_threads=False, evaluator=load_once(None))

    def is_balanced(self, position: Position, nodes: int) -> bool:
        self.searcher.clear()
        return abs(self.searcher.search(position, Limits(nodes=nodes), Settings()).score) <= BALANCE

    def draw_move(self, position: Position, rng: Random) -> bool:
        """Play a developing move that keeps the balance; False if none is found."""
        weights = WEIGHTS_OF[position.turn]
        moves = [move for move in position.legal_moves() if move in weights]
        # Taking back comes before all development.
        moves = recaptures(position) or moves
        for _ in range(ATTEMPTS if moves else 0):
            move = rng.choices(moves, [weights.get(move, 1) for move in moves])[0]
            position.push(move)
            if self.is_balanced(position, NODES_PER_MOVE):
                return True
            position.pop()
        return False

    def draw(self, rng: Random) -> Position | None:
        """An opening, or None if the draw came to nothing."""
        position = Position()
        for _ in range(rng.choice(LENGTHS)):
            if not self.draw_move(position, rng):
                return None
        if position.in_check or recaptures(position) or not self.is_balanced(position, NODES_AT_THE_END):
            return None
        return position


def opening(seed: str) -> list[str]:
    """The moves of the first opening that the random numbers of this seed make."""
    maker, rng = Maker(), Random(seed)
    while True:
        position = maker.draw(rng)
        if position is not None:
            return position.moves


@command(__doc__)
@click.option("--count", "wanted", type=COUNT, default=3000, show_default=True, help="How many openings.")
@seed_option
@jobs_option()
@click.option("--out", type=FILE, default=OPENINGS, help=f"[default: {OPENINGS.name}]")
def main(wanted: int, seed: int, jobs: int, out: Path) -> None:
    found: dict[str, str] = {}          # by position, so that none comes twice by another order of moves
    with (worker_pool(opening, jobs) as run_all,
          progress_bar(wanted, "openings") as bar):
        for moves in in_order(run_all((number, f"{seed}/{number}") for number in count())):
            line = " ".join(["startpos moves", *moves])
            found.setdefault(" ".join(Position.from_usi(line).sfen.split()[:3]), line)
            bar.update(len(found) - bar.pos)
            if len(found) == wanted:
                break
    head = (f"# Made by scripts/studies/make_openings.py --count {wanted} --seed {seed}: the packaged weights see no "
            f"more than {BALANCE} centipawns\n# for either side, with {NODES_PER_MOVE} nodes after each move and "
            f"{NODES_AT_THE_END} at the end.\n")
    write_file(out, (head + "".join(f"{line}\n" for line in found.values())).encode())


if __name__ == "__main__":
    main()
