from collections.abc import Iterable

DEBUG: bool
BUILT_FOR: str
COMPILER: str
FLAGS: str
FEATURES: tuple[str, ...]

def require(features: Iterable[str] = ...) -> None: ...
