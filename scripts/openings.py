"""Opening files: a line for each position to start games from, as SFEN or as moves; `#` begins a comment line."""
from pathlib import Path

from engine import Position

OPENINGS = Path(__file__).parent / "data" / "openings.sfen"     # made by make_openings.py


def load(path: Path) -> list[str]:
    """The openings of a file in its order, each as text for `Position.from_usi`.

    Lines read `startpos moves …`, `sfen …` or a bare SFEN. Raises ValueError, naming file and line, for a line that is
    no position and for a game that is over.
    """
    openings = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        opening = line.strip()
        if not opening or opening.startswith("#"):
            continue
        try:
            position = Position.from_usi(opening)
        except ValueError as error:
            raise ValueError(f"{path}:{number}: {error}") from None
        if position.is_mate() or position.repetition() != "none":
            raise ValueError(f"{path}:{number}: {opening!r} is a game that is over; leave it out")
        openings.append(opening)
    if not openings:
        raise ValueError(f"{path} holds no opening: write a `startpos moves …` or an SFEN on each line")
    return openings
