"""Which errors are meant for people: those are printed as one line. All others are faults of ours, and need their
traceback."""
import linecache
import traceback
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("engine", "tt", "eval", "search", "usi", "scripts", "__main__")     # packages, and the command itself


class Fault(Exception):
    """A fault in another process, told by its traceback there."""


def is_for_people(error: Exception) -> bool:
    """Whether the system raised it (a file, the memory), or a `raise` of our own. What a calculation or a library
    raises is a fault, also if it is a ValueError: a NumPy shape, a recursion without end."""
    if isinstance(error, OSError | MemoryError):
        return True
    if isinstance(error, RecursionError | Fault) or not error.__traceback__:
        return False
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    if frame.f_globals["__name__"].partition(".")[0] not in ROOMS:
        return False
    # A compiled module names its file from the root.
    return linecache.getline(str(ROOT / frame.f_code.co_filename), line).lstrip().startswith("raise ")


def to_be_sent(error: Exception) -> Exception:
    """What to send another process of it: the way takes the traceback away, which a fault needs."""
    return error if is_for_people(error) else Fault("".join(traceback.format_exception(error)))
