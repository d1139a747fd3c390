"""Opening files: a line for each position to start games from, as SFEN or as moves, `#` beginning a comment line; or
games in CSA or KIF."""
from collections.abc import Iterator
from pathlib import Path

from engine import Position
from engine.notation.files import read_records
from engine.notation.sfen import parse_position

OPENINGS = Path(__file__).parents[1] / "data" / "openings.sfen"     # made by make_openings.py
RECORDS = (".csa", ".kif", ".kifu")


def load(path: Path, plies: int | None = None) -> list[str]:
    """The openings of a file in its order, each as text for `Position.from_usi`, none with more moves than `plies`.

    Lines read `startpos moves …`, `sfen …` or a bare SFEN; files whose names end in .csa, .kif and .kifu hold games.
    Raises ValueError, naming file and line, or the game's number, for what is no position and for a game that is over.
    """
    openings = []
    for number, opening in games(path) if path.suffix.lower() in RECORDS else lines(path):
        try:
            opening = shortened(opening, plies)
            position = Position.from_usi(opening)
        except ValueError as error:
            raise ValueError(f"{path}:{number}: {error}") from None
        if position.is_mate() or position.repetition() != "none":
            raise ValueError(f"{path}:{number}: {opening!r} is a game that is over; leave it out, or use fewer plies")
        openings.append(opening)
    if not openings:
        raise ValueError(f"{path} holds no opening: write a `startpos moves …` or an SFEN on each line")
    return openings


def lines(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        opening = line.strip()
        if opening and not opening.startswith("#"):
            yield number, opening


def games(path: Path) -> Iterator[tuple[int, str]]:
    try:
        records = read_records(path)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    for number, record in enumerate(records, 1):
        yield number, " ".join(["sfen", record.initial_sfen, "moves", *record.moves])


def shortened(opening: str, plies: int | None) -> str:
    if plies is None:
        return opening
    sfen, moves = parse_position(opening)
    return " ".join(["sfen", sfen, "moves", *moves[:plies]])
