def unpack(packed: memoryview, numbers: memoryview) -> None:
    """Fill an array. Raises UserError if the packed numbers are more or fewer, or one does not fit."""
