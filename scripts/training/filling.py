"""A file of positions, filled by self-play and continued where it ended."""
import json
from collections import Counter
from dataclasses import asdict
from itertools import chain
from pathlib import Path

from engine.errors import Phrase, UserError
from eval.loading import MATERIAL, load_evaluator
from scripts.training.files import SampleFile, form_of
from scripts.training.selfplay import SelfPlayRecipe, TrainingGame, play_session, sessions
from usi.console.progress import Progress
from usi.files.journal import require_same, typed
from usi.files.locking import alone
from usi.files.writing import write_file
from usi.workers.pool import worker_pool
from usi.workers.tasks import in_order, own_files


class Course:
    """Statistics and progress of self-play."""

    def __init__(self, wanted: int, have: int) -> None:
        self.progress = Progress(wanted, "positions", have)
        self.had = have
        self.starts: Counter[str] = Counter()
        self.ends: Counter[str] = Counter()
        self.searched = 0

    def note(self, game: TrainingGame, have: int) -> None:
        self.starts[game.start] += 1
        self.ends[game.end] += 1
        self.searched += len(game.records)
        self.progress.tell(have, *self.details(have))

    def details(self, have: int) -> list[str]:
        again = 100 * (1 - (have - self.had) / self.searched) if self.searched else 0
        return [f"{self.ends.total()} games", f"{again:.1f} % seen before"]

    def summary(self, have: int) -> str:
        def listed(counts: Counter[str]) -> str:
            return ", ".join(f"{name} {count}" for name, count in counts.most_common())
        return f"{self._line(have)}\nstarts: {listed(self.starts)}\nends: {listed(self.ends)}"

    def _line(self, have: int) -> str:
        if self.progress.total and have > self.progress.total:
            self.progress.total = None      # whole games are added, so there may be more positions than wanted
        return self.progress.line(have, *self.details(have))


def keep_recipe(path: Path, recipe: SelfPlayRecipe) -> None:
    """Write the recipe next to the positions. Raises UserError if existing ones were made by another recipe."""
    if path.exists():
        try:
            found = typed(SelfPlayRecipe, json.loads(path.read_text(encoding="utf-8")))
        except (TypeError, KeyError, ValueError, RecursionError):
            raise UserError("{path} is no recipe of self-play; move it away, or name another file for the positions",
                            path=path) from None
        require_same(path, Phrase("a recipe"), asdict(found), asdict(recipe), remedy=Phrase("name another file"))
    else:
        write_file(path, (json.dumps(asdict(recipe), indent=1) + "\n").encode())


def fill(file: SampleFile, recipe: SelfPlayRecipe, openings: list[str], positions: int, jobs: int, seed: str,
         evaluation: str, scheduler: str | None) -> str:
    """Play until the file holds `positions`. Returns a summary as text. `jobs` and `scheduler` (see `worker_pool`) do
    not change the file. Raises as eval.loading does for `evaluation`."""
    load_evaluator(evaluation)      # raises before workers do
    course = Course(positions, file.count)
    if file.count < positions:
        # A resumed run gets another seed, by the number of positions.
        todo = enumerate(sessions(recipe, openings, evaluation, f"{seed}/{file.count}"))
        files = own_files([evaluation, *recipe.rivals])
        with worker_pool(play_session, jobs, bool(recipe.spars), scheduler, files) as run_all:
            for game in chain.from_iterable(in_order(run_all(todo))):
                file.add(game.records)
                course.note(game, file.count)
                if file.count >= positions:
                    break
    return course.summary(file.count)


def generate(out: Path, recipe: SelfPlayRecipe, openings: list[str], positions: int, jobs: int, seed: str,
             evaluation: str = MATERIAL, scheduler: str | None = None) -> str:
    """Fill one file; see `fill`. The recipe, with digests of openings and weights, is written next to it. Raises
    UserError as `keep_recipe` raises it."""
    load_evaluator(evaluation)      # raises before anything is written
    form_of(out)                    # likewise
    with alone(out):
        keep_recipe(out.with_suffix(".json"), recipe)
        with SampleFile(out) as file:
            return fill(file, recipe, openings, positions, jobs, seed, evaluation, scheduler)
