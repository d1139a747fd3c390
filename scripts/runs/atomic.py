"""Files that are there whole, or not at all."""
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO


def write_by(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Put what `write` writes in the file's place at once; its folder is made if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".new")
    with fresh.open("wb") as file:
        write(file)
    fresh.replace(path)


def write_whole(path: Path, data: bytes) -> None:
    """Put these bytes in the file's place at once."""
    write_by(path, lambda file: file.write(data))
