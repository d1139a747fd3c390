"""Which errors are meant for people: those are printed as one line. All others are faults of ours, and need their
traceback."""
import linecache
import traceback
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("engine", "tt", "eval", "search", "usi", "scripts", "__main__")     # packages, and the command itself


def is_for_people(error: Exception) -> bool:
    """Whether the system raised it (a file, the memory), or a `raise` of our own. What a calculation or a library
    raises is a fault, also if it is a ValueError: a NumPy shape, a recursion without end."""
    if isinstance(error, OSError | MemoryError):
        return True
    if isinstance(error, RecursionError) or getattr(error, "__notes__", None) or not error.__traceback__:
        return False
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    if frame.f_globals["__name__"].partition(".")[0] not in ROOMS:
        return False
    # A compiled module names its file from the root.
    return linecache.getline(str(ROOT / frame.f_code.co_filename), line).lstrip().startswith("raise ")


def with_traceback(error: Exception) -> Exception:
    """The same, to be sent to another process: unless it is for people, with the traceback as a note, for else the way
    takes that away."""
    if not is_for_people(error):
        error.add_note("".join(traceback.format_exception(error)))
    return error
