from collections.abc import Iterable

DEBUG: bool
BUILT_FOR: str
FEATURES: tuple[str, ...]

def require(features: Iterable[str] = ...) -> None: ...
