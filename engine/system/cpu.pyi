from collections.abc import Iterable

DEBUG: bool
VERSION: str
BUILT_FOR: str
COMPILER: str
FLAGS: str
FEATURES: tuple[str, ...]
SUPPORTED: tuple[str, ...]
FASTER: bool

def better(features: Iterable[str], pext_is_slow: bool) -> bool: ...
def chosen(path: Iterable[str]) -> list[str]: ...
def require(features: Iterable[str] = ...) -> None: ...
