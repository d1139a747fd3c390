"""A folder of files of positions, which self-play fills one after another. It survives any interruption.

    FOLDER/00001-1f3a9c04.psv.xz    a file that is done, by its number and the digest of the weights that played
    FOLDER/next/                    the file that is being filled
    FOLDER/weights/                 a copy of each weights file that has played
    FOLDER/manifest.json            a ManifestEntry for each file
"""
import json
import re
import sys
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path

from engine.errors import UserError, one_line
from eval.files import parse_weights
from eval.loading import MATERIAL, file_and_scale, scaled
from scripts.games.played import now
from scripts.training.files import SampleFile
from scripts.training.filling import fill
from scripts.training.selfplay import SelfPlayRecipe
from usi.files.journal import typed
from usi.files.locking import alone
from usi.files.writing import write_file

FILE_POSITIONS = 2_000_000
WEIGHTS_DIGITS, FILE_DIGITS = 16, 8     # of the weights' digest, in the names of their copy and of files


# Names in the manifest become names of files, which lie in the folder.
DIGEST = re.compile(rf"{MATERIAL}|[0-9a-f]{{64}}")
FILE_NAME = re.compile(rf"\d{{5,}}-(?:{MATERIAL}|[0-9a-f]{{{FILE_DIGITS}}})\.psv\.xz")


@dataclass
class ManifestEntry:
    """A file's entry in the manifest. Dates are in UTC."""

    file: str
    recipe: SelfPlayRecipe
    seed: str
    began: str
    ended: str | None = None        # not while it is being filled
    positions: int | None = None    # likewise


class Series:
    """The folder and its manifest. Only one process at a time may use it, which locks the manifest."""

    def __init__(self, folder: Path) -> None:
        """Open the folder. Raises UserError if its manifest cannot be read."""
        self.folder = folder
        self.manifest = folder / "manifest.json"
        self.entries: list[ManifestEntry] = []
        if self.manifest.exists():
            try:
                for each in json.loads(self.manifest.read_text(encoding="utf-8")):
                    entry = typed(ManifestEntry, each)
                    if not FILE_NAME.fullmatch(entry.file) or not DIGEST.fullmatch(entry.recipe.weights):
                        raise ValueError(f"{entry.file!r}, {entry.recipe.weights!r}")
                    self.entries.append(entry)
            except (ValueError, TypeError, KeyError, RecursionError) as fault:
                raise UserError("{path} is no manifest of such a folder ({fault})", path=self.manifest,
                                fault=fault) from None

    @property
    def positions(self) -> int:
        """The number of positions in finished files."""
        return sum(entry.positions or 0 for entry in self.entries)

    def weights(self, evaluation: str) -> tuple[str, str]:
        """The name of a copy of the weights for the next file, and their digest. If the weights cannot be read, because
        they are being replaced or belong to another version, the weights used last are taken, with a note on stderr.
        Raises OSError and UserError as eval.files raises them if there are none."""
        path, fv_scale = file_and_scale(evaluation)
        if path is None:
            return MATERIAL, MATERIAL
        try:
            data = path.read_bytes()
            parse_weights(data, path)
        except (OSError, UserError) as fault:
            last = self.entries[-1].recipe.weights if self.entries else MATERIAL
            if last == MATERIAL:
                raise
            print(f"{fault}; playing on by {self._copy(last)}", file=sys.stderr)
            return scaled(str(self._copy(last)), fv_scale), last
        digest = sha256(data).hexdigest()
        if not self._copy(digest).exists():
            self._copy(digest).parent.mkdir(parents=True, exist_ok=True)
            write_file(self._copy(digest), data)
        return scaled(str(self._copy(digest)), fv_scale), digest

    def _copy(self, digest: str) -> Path:
        return self.folder / "weights" / f"{digest[:WEIGHTS_DIGITS]}.weights"

    def unfinished(self, entry: ManifestEntry) -> Path:
        return self.folder / "next" / entry.file

    def following(self, recipe: SelfPlayRecipe, seed: int) -> ManifestEntry:
        """The file to fill: the unfinished one if it has this recipe and seed, otherwise a new one."""
        last = self.entries[-1] if self.entries else None
        if last and last.ended is None:
            if not (self.folder / last.file).exists() and (last.recipe, last.seed) == (
                    recipe, f"{seed}/{len(self.entries)}"):
                return last
            self.end(last)
        # Files that a lost manifest does not list keep their names.
        there = (int(path.name.partition("-")[0]) for path in self.folder.iterdir() if FILE_NAME.fullmatch(path.name))
        number = max([len(self.entries), *there]) + 1
        digest = recipe.weights[:FILE_DIGITS]
        entry = ManifestEntry(f"{number:05}-{digest}.psv.xz", recipe, f"{seed}/{number}", now())
        self.entries.append(entry)
        self._write()
        return entry

    def end(self, entry: ManifestEntry) -> None:
        """Move a finished file to the others, unless it is there already after an interruption."""
        unfinished, done = self.unfinished(entry), self.folder / entry.file
        if unfinished.exists():
            unfinished.replace(done)
        with SampleFile(done) as file:
            entry.positions = file.count
        entry.ended = now()
        self._write()

    def _write(self) -> None:
        text = json.dumps([asdict(entry) for entry in self.entries], indent=1)
        write_file(self.manifest, (text + "\n").encode())


def fill_series(folder: Path, recipe: SelfPlayRecipe, openings: list[str], positions: int | None,
                file_positions: int, jobs: int, seed: int, evaluation: str, scheduler: str | None = None) -> None:
    """Fill files of `file_positions`, by the weights of `evaluation` as they are when a file begins, until there are
    `positions` in all, or without end. Prints a summary of each. Raises UserError as `Series` raises it."""
    series = Series(folder)
    with alone(series.manifest):
        while positions is None or series.positions < positions:
            name, digest = series.weights(evaluation)
            entry = series.following(replace(recipe, weights=digest), seed)
            wanted = file_positions if positions is None else min(file_positions, positions - series.positions)
            with SampleFile(series.unfinished(entry)) as file:
                told = fill(file, entry.recipe, openings, wanted, jobs, entry.seed, name, scheduler)
            series.end(entry)
            print(f"{one_line(entry.file)}: {told}", flush=True)
