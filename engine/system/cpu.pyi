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
    """Whether modules compiled for these extensions run on this processor, and run faster."""
def chosen(path: Iterable[str]) -> list[str]:
    """The folders to search for a package's modules, from its own folders `path`."""
def require(features: Iterable[str] = ...) -> None:
    """Raise ImportError, with the missing names, if the processor lacks any of these extensions.

    Names are the compiler's ("avx2"). Unknown names count as missing."""
