"""Options of commands as fields of dataclasses, in plain types, so that a library that has settings needs no command
line. usi.console.options makes click's options of them."""
from collections.abc import Callable, Collection
from dataclasses import MISSING, dataclass, field
from enum import Enum
from typing import Any

from engine import MAX_PLY
from search.limits import UNBOUNDED


@dataclass(frozen=True)
class WholeRange:
    """Whole numbers from `least` to `most`. Helps show the `unit`, errors the range."""

    least: int
    most: int
    unit: str = "N"

    def __contains__(self, number: float) -> bool:
        return self.least <= number <= self.most

    def __str__(self) -> str:
        return f"{self.least}<=x<={self.most}"


@dataclass(frozen=True)
class RealRange:
    """Finite numbers from `least` to `most`; an open end is not among them. Helps show the `unit`, errors the range."""

    least: float
    most: float
    min_open: bool = False
    max_open: bool = False
    unit: str = "X"

    def __contains__(self, number: float) -> bool:
        above = number > self.least if self.min_open else number >= self.least
        return above and (number < self.most if self.max_open else number <= self.most)

    def __str__(self) -> str:
        return f"{self.least}{'<' if self.min_open else '<='}x{'<' if self.max_open else '<='}{self.most}"


@dataclass(frozen=True)
class OneOf:
    """One of some words."""

    words: Collection[str]


@dataclass(frozen=True)
class Parsed:
    """A value that `parse` makes of a text, or raises UserError. `form` is the text's form, for people."""

    form: str
    parse: Callable[[str], Any]


class PathTo(Enum):
    """A path, which need not be there."""

    FILE = "a file"
    FOLDER = "a folder"
    EITHER = "a file or folder"


COUNT = WholeRange(1, 10**9)
GAMES = WholeRange(1, 10**9, "GAMES")
POSITIONS = WholeRange(1, 10**9, "POSITIONS")
PLIES = WholeRange(1, 10**9, "PLIES")
NODES = WholeRange(1, UNBOUNDED, "NODES")
MS = WholeRange(1, UNBOUNDED, "MS")
DEPTH = WholeRange(1, MAX_PLY - 1, "PLIES")
THREADS = WholeRange(1, 512)
MEGABYTES = WholeRange(1, 2**20, "MB")
CENTIPAWNS = WholeRange(0, 10**6, "CENTIPAWNS")
SEED = WholeRange(0, 2**63 - 1)
PERCENT = WholeRange(0, 100, "PERCENT")
SHARE = RealRange(0, 1, unit="SHARE")
PART = RealRange(0, 1, min_open=True, max_open=True)
HELD_OUT = RealRange(0, 1, max_open=True, unit="SHARE")
ELO = RealRange(-10_000, 10_000)
FILE, FOLDER, ANY_PATH = PathTo


def setting(help: str, kind: Any = None, default: Any = MISSING, flag: str = "", **more: Any) -> Any:
    """A field of a dataclass that is an option of commands. Without a default (a value, or a function that makes one)
    it is required. `kind` is one of the above, or a tuple of them; None stands for text or, if the default is False,
    for a flag. `flag` is what people type, where that is not the field's name; `shown` is the default as they would
    type it, where that is not the field's; `more` goes to click.option."""
    metadata = {"option": {"help": help, "kind": kind, "flag": flag} | more}
    return field(default_factory=default, metadata=metadata) if callable(default) else field(
        default=default, metadata=metadata)


def evaluation_setting() -> Any:
    """A setting for the name of an evaluation; see `eval.loading`."""
    return setting("Evaluation: a weights file, another engine's nn.bin (nn.bin@20 for FV_SCALE 20), the packaged "
                   "tables, or material alone [default: the packaged network]",
                   None, None, "--eval-file", metavar="FILE|tables|material")
