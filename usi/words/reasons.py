"""Messages for people about system errors and lack of memory."""
import errno
import os
import sys

from engine.errors import OutOfMemory, Phrase


def limit_mb() -> int | None:
    """This process's limit of address space in MB (`ulimit -v`); None if there is none, or it is not known."""
    if sys.platform == "win32":
        return None
    import resource

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit >> 20


def shortage(error: MemoryError) -> Phrase:
    """The message for a lack of memory, with a remedy."""
    limit = limit_mb()
    what = error if isinstance(error, Phrase) else Phrase(str(error)) if str(error) else Phrase(
        "there is not enough memory")
    if str(error) and not isinstance(error, OutOfMemory):       # one of NumPy's, which no option makes smaller
        return Phrase("{what}; end other programs", what=what) if limit is None else Phrase(
            "{what}: a limit of yours lets this process have {most} MB (ulimit -v); raise it", what=what, most=limit)
    if limit is None:
        return Phrase("{what}; end other programs, or ask for less (USI_Hash or --hash, Threads)", what=what)
    return Phrase("{what}: a limit of yours lets this process have {most} MB (ulimit -v); raise it, or ask for less "
                  "(USI_Hash or --hash, Threads)", what=what, most=limit)


def fewer_threads(name: str, wanted: int, obtained: int) -> Phrase:
    """The message for fewer threads than the option `name` asks for."""
    return Phrase("{name} {wanted} need more memory than there is (threads get half of what is available), {obtained} "
                  "is used" if obtained == 1 else
                  "{name} {wanted} need more memory than there is (threads get half of what is available), {obtained} "
                  "are used", name=name, wanted=wanted, obtained=obtained)


def less_memory(name: str, wanted_mb: int, obtained_mb: int) -> Phrase:
    """The message for a smaller table than the option `name` asks for."""
    limit = limit_mb()
    if limit is None:
        return Phrase("{name} {wanted} MB cannot be allocated (a table gets half of the available memory at most), "
                      "{obtained} MB is used", name=name, wanted=wanted_mb, obtained=obtained_mb)
    return Phrase("{name} {wanted} MB cannot be allocated (a limit of yours lets this process have {most} MB (ulimit "
                  "-v)), {obtained} MB is used", name=name, wanted=wanted_mb, most=limit, obtained=obtained_mb)


# The system's own words do not say what to do.
WORDS: dict[type[OSError], str] = {
    FileNotFoundError: "there is no such file or folder; look at the name",
    IsADirectoryError: "this is a folder; name a file",
    NotADirectoryError: "a part of this that should be a folder is a file; look at the name",
    FileExistsError: "this is a file where a folder is needed; name another, or move the file away",
    PermissionError: "you may not open this; look at its permissions, or name another",
}
BY_NUMBER: dict[int | None, str] = {
    errno.ENOSPC: "there is no room left on the disk; free some space, or name a file elsewhere",
    errno.EDQUOT: "your quota of the disk is used up; free some space, or name a file elsewhere",
    errno.EFBIG: "a limit of yours (ulimit -f) or the file system allows no file of that size; name a file elsewhere",
    errno.ENAMETOOLONG: "this name is too long for a file; give a shorter one",
    errno.EROFS: "nothing can be written there, it is a read-only file system; name a file elsewhere",
}


def reason(error: Exception) -> Phrase:
    """An error in words for the user.

    >>> str(reason(FileNotFoundError(2, "No such file or directory", "game.kif")))
    "'game.kif': there is no such file or folder; look at the name"
    """
    if isinstance(error, MemoryError):
        return shortage(error)
    if isinstance(error, Phrase):
        return error
    if not isinstance(error, OSError) or not error.strerror:
        return Phrase(str(error))
    words = next((words for kind, words in WORDS.items() if isinstance(error, kind)), error.strerror)
    if error.filename is None:
        return Phrase(words)
    return Phrase("'{path}': {fault}", path=os.fsdecode(error.filename),
                  fault=Phrase(BY_NUMBER.get(error.errno, words)))
