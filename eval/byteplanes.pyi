from eval.arrays import Array

CODINGS: tuple[str, ...]

def split(values: Array) -> tuple[str, list[bytearray]]:
    """Code a one-dimensional array. Returns its coding, one of CODINGS, and its planes; plane k holds byte k of every
    number."""
def join(values: memoryview, coding: str, planes: list[bytes | None]) -> None:
    """Fill a one-dimensional array of zeros from its planes; None stands for a plane of zeros.

    Raises UserError for an unknown coding."""
