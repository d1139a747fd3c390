from collections.abc import Iterable

DEBUG: bool
VERSION: str
BUILT_FOR: str
COMPILER: str
FLAGS: str
FEATURES: tuple[str, ...]
SUPPORTED: tuple[str, ...]
FASTER: bool

def better(features: Iterable[str], pext_is_slow: bool) -> bool:
    """Whether modules compiled for these extensions run, and run faster, on this processor."""
def chosen(path: Iterable[str]) -> list[str]:
    """The folders to search for a package's modules, from its own folders `path`."""
def require(features: Iterable[str] = ...) -> None:
    """Raise ImportError, naming the missing ones, if the processor lacks some of these extensions.

    Names are the compiler's ("avx2"). A name that it does not know counts as missing."""
