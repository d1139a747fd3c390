from collections.abc import Iterable

BUILT_FOR: str
FEATURES: tuple[str, ...]

def require(features: Iterable[str] = ...) -> None: ...
