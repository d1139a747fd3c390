from collections.abc import Iterable

DEBUG: bool
VERSION: str
BUILT_FOR: str
COMPILER: str
FLAGS: str
FEATURES: tuple[str, ...]
SUPPORTED: tuple[str, ...]

def require(features: Iterable[str] = ...) -> None: ...
