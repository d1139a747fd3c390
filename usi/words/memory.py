"""What to say when there is not enough memory, and whose doing it is."""
import sys


def limit_mb() -> int | None:
    """What this process may take of addresses, in MB, where a user has limited that (`ulimit -v`); None if nobody has,
    or this is not told."""
    if sys.platform == "win32":
        return None
    import resource

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit >> 20


def shortage(error: MemoryError) -> str:
    """The error in words, and what to do about it."""
    limit = limit_mb()
    what = str(error) or "there is not enough memory"
    remedy = (f": a limit of yours lets this process have {limit} MB (ulimit -v); raise it" if limit is not None else
              "; end other programs")
    return f"{what}{remedy}, or ask for less (USI_Hash or --hash, Threads)"


def fewer_threads(name: str, wanted: int, obtained: int) -> str:
    """What to say when there are fewer threads than `name` asks for."""
    return (f"{name} {wanted} need more memory than there is (threads get half of what is available), "
            f"{obtained} {'is' if obtained == 1 else 'are'} used")


def less_memory(name: str, wanted_mb: int, obtained_mb: int) -> str:
    """What to say when a table is smaller than `name` asks for."""
    limit = limit_mb()
    why = ("a table gets half of the available memory at most" if limit is None else
           f"a limit of yours lets this process have {limit} MB (ulimit -v)")
    return f"{name} {wanted_mb} MB cannot be allocated ({why}), {obtained_mb} MB is used"
