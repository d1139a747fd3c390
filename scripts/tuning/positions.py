"""Varied positions drawn from a file of openings or of training records."""
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random

import numpy as np

from engine import Position
from engine.packed import unpacked
from scripts.games.openings import load
from scripts.training.samples import read
from scripts.workers.evaluators import load_once
from search import Limits, Searcher, Settings

GAME = 60       # records that are about one game: of so many in a row, one is drawn
JUDGING_DEPTH = 6


class RecordedPositions:
    """Those of a .psv file, judged by the scores that stand there."""

    apart = GAME

    def __init__(self, path: Path) -> None:
        self._records = read(path)
        self.digest = sha256(self._records.view(np.uint8).data).hexdigest()

    def __len__(self) -> int:
        return len(self._records)

    def judged(self, index: int) -> tuple[Position, int]:
        """A position and its score in centipawns."""
        record = self._records[index]
        return unpacked(record["sfen"].tobytes()), int(record["score"])


class ListedPositions:
    """Those that the lines of a file, or its games, lead to, judged by a short search."""

    apart = 1

    def __init__(self, path: Path, eval_file: str | None) -> None:
        """ValueError, naming the line, for what is no position or a game that is over."""
        self._lines = load(path)
        self.digest = sha256("\n".join(self._lines).encode()).hexdigest()
        self._searcher = Searcher(1, evaluator=load_once(eval_file))

    def __len__(self) -> int:
        return len(self._lines)

    def judged(self, index: int) -> tuple[Position, int]:
        """A position and its score in centipawns."""
        position = Position(Position.from_usi(self._lines[index]).sfen)
        self._searcher.clear()
        return position, self._searcher.search(position, Limits(depth=JUDGING_DEPTH), Settings()).score


def positions_of(path: Path, eval_file: str | None) -> RecordedPositions | ListedPositions:
    return RecordedPositions(path) if path.suffix == ".psv" else ListedPositions(path, eval_file)


def drawn(positions: RecordedPositions | ListedPositions, seed: int, max_value: int) -> Iterator[str]:
    """SFENs in an order that the seed decides, none twice: those judged within `max_value` centipawns in which there is
    something to choose, neither mate nor a win to be declared."""
    rng = Random(seed)
    stretches = -(-len(positions) // positions.apart)
    rule = Settings().entering_king_rule
    seen = set()
    for stretch in rng.sample(range(stretches), stretches):
        first = stretch * positions.apart
        position, score = positions.judged(rng.randrange(first, min(first + positions.apart, len(positions))))
        sfen = position.sfen
        if abs(score) > max_value or position.is_mate() or position.can_declare(rule) or sfen in seen:
            continue
        seen.add(sfen)
        yield sfen
