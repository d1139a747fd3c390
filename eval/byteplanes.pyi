from eval.arrays import Array

CODINGS: tuple[str, ...]

def split(values: Array) -> tuple[str, list[bytearray]]:
    """The coding of an array of one dimension, one of CODINGS, and its planes, as many bytes each as it has numbers."""
def join(values: memoryview, coding: str, planes: list[bytes | None]) -> None:
    """Fill an array of zeros, of one dimension, from planes: as many bytes each as it has numbers, or None for zeros.

    UserError if the coding is none of CODINGS."""
