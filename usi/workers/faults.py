"""Which errors are meant for people: those are printed as one line. All others are faults of ours, and need their
traceback."""
import linecache
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

ROOT = Path(__file__).parents[2]
ROOMS = ("engine", "tt", "eval", "search", "usi", "scripts", "__main__")     # packages, and the command itself


def is_for_people(error: Exception) -> bool:
    """Whether the system raised it (a file, the memory), or a `raise` of our own. What a calculation or a library
    raises is a fault, also if it is a ValueError: a NumPy shape, a recursion without end."""
    if "for_people" in error.__dict__:
        return bool(error.__dict__["for_people"])
    if isinstance(error, OSError | MemoryError):
        return True
    if isinstance(error, RecursionError) or not error.__traceback__:
        return False
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    if frame.f_globals["__name__"].partition(".")[0] not in ROOMS:
        return False
    # A compiled module names its file from the root.
    return linecache.getline(str(ROOT / frame.f_code.co_filename), line).lstrip().startswith("raise ")


def judged(work: Callable[[T], R], task: T) -> R:
    """Do a task in a process that is not the command's. What it raises says whether it is for people: its traceback
    shows that, and does not travel."""
    try:
        return work(task)
    except Exception as error:
        error.__dict__["for_people"] = is_for_people(error)
        raise
