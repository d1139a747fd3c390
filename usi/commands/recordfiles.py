"""The records in folders that people hand over."""
from collections.abc import Iterator
from pathlib import Path

# Of the files taken from a folder.
SUFFIXES = (".csa", ".kif", ".kifu", ".ki2", ".ki2u", ".jkf", ".pgn", ".sfen", ".usi")


def files_of(sources: tuple[Path, ...]) -> Iterator[Path]:
    """The files named, and all records in the folders named, however deep."""
    for source in sources:
        if source.is_dir():
            yield from sorted(path for path in source.rglob("*") if path.suffix.lower() in SUFFIXES)
        else:
            yield source
