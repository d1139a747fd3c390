"""The file of deep values: positions and what a long search says of them, made once and read by all that is measured
against it."""
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from scripts.arena.search_player import SearchPlayer
from scripts.games.rules import Rules
from scripts.runs import log
from scripts.runs.log import RunLog
from scripts.runs.progress import PositionProgress
from scripts.tuning.positions import drawn, positions_of
from scripts.tuning.root_search import RootSearches, files_of, require_fixed, search_roots
from scripts.workers.interface import in_order
from scripts.workers.pool import worker_pool

WHAT = "deep values of a run"


class DeepValue(NamedTuple):
    """A position and what the long search says of it."""

    sfen: str
    move: str
    value: int      # centipawns, for the side to move
    depth: int


@dataclass(frozen=True)
class DeepRecipe:
    """Which positions are searched, and how."""

    player: SearchPlayer
    positions: Path
    seed: int
    max_value: int      # centipawns: positions judged beyond are left out

    def conditions(self, digest: str) -> dict[str, object]:
        """All that the file depends on, as JSON has it; `digest` is of the positions."""
        return self.player.conditions(Rules()) | {"positions": digest, "seed": self.seed, "max_value": self.max_value}


def values_of(records: list[dict[str, Any]], path: Path) -> list[DeepValue]:
    """ValueError if they are none."""
    try:
        return [DeepValue(**record) for record in records]
    except TypeError:
        raise log.not_of(path, WHAT) from None


def read(path: Path) -> list[DeepValue]:
    """ValueError if the file holds something else, OSError if it cannot be read."""
    return values_of(log.read(path, WHAT)[1], path)


def digest_of(deep: Sequence[DeepValue]) -> str:
    """By which a run knows the values that it was measured against."""
    return sha256(repr(list(deep)).encode()).hexdigest()


def make(out: Path, recipe: DeepRecipe, count: int, jobs: int = 1, scheduler: str | None = None) -> str:
    """Search until the file holds so many positions, or there are no more; what happened, as text. Who searches is as
    `worker_pool` has it: it changes nothing in the file. ValueError if the file is of another recipe."""
    require_fixed(recipe.player)
    positions = positions_of(recipe.positions, recipe.player.eval_file)
    kept = RunLog(out, recipe.conditions(positions.digest), WHAT)
    try:
        have = len(values_of(kept.found, out))
        progress = PositionProgress(count, have)
        sfens = list(islice(drawn(positions, recipe.seed, recipe.max_value), have, max(have, count)))
        tasks = (RootSearches(recipe.player, [sfen]) for sfen in sfens)
        with worker_pool(search_roots, jobs, scheduler=scheduler, files=files_of([recipe.player])) as run_all:
            for sfen, (found,) in zip(sfens, in_order(run_all(enumerate(tasks))), strict=True):
                kept.add({"sfen": sfen} | found._asdict())
                have += 1
                progress.tell(have)
    finally:
        kept.close()
    return progress.line(have) if have >= count else f"{progress.line(have)}: there are no more positions to draw"
