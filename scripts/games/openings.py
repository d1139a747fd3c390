"""Opening files: a line for each position to start games from, as SFEN or as moves, `#` beginning a comment line; or
games in any format of engine.records.formats."""
import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from engine import Position
from engine.errors import UserError, telling
from engine.records.files import decode, read_records
from engine.sfen import parse_position
from usi.files.reading import read_text_file

OPENINGS = Path(__file__).parents[1] / "data" / "openings.sfen"
_OPENING = re.compile(r"(startpos|sfen)\b|[1-9A-Za-z+]+(/[1-9A-Za-z+]+){8}\s")


def load(path: Path, plies: int | None = None) -> list[str]:
    """The openings of a file in its order, each as text for `Position.from_usi`, none with more moves than `plies`.

    Lines read `startpos moves …`, `sfen …` or a bare SFEN. If the first line that is no comment is none of these, the
    file holds games. Raises UserError, naming the file and the line or game, if an opening is no position, or its game
    is over.
    """
    openings = []
    for number, opening in numbered(path):
        with telling(f"{path}:{number}"):
            opening = shortened(opening, plies)
            position = Position.from_usi(opening)
        if position.is_mate() or position.repetition() != "none":
            raise UserError("{opening!r} is a game that is over; leave it out, or use fewer plies",
                            opening=opening).at(f"{path}:{number}")
        openings.append(opening)
    return openings


def numbered(path: Path) -> Iterator[tuple[int, str]]:
    """The openings of the file, each with the number of its line or game."""
    try:
        data = read_text_file(path)
        lines = [(number, line) for number, text in enumerate(decode(data)[0].splitlines(), 1)
                 if (line := text.strip()) and not line.startswith("#")]
        if not lines:
            raise UserError("there is no line but comments")
        if _OPENING.match(lines[0][1] + "\n"):
            yield from lines
        else:
            for number, record in enumerate(read_records(data), 1):
                yield number, " ".join(["sfen", record.initial_sfen, "moves", *record.moves])
    except UserError as error:
        raise UserError("{fault}; openings are lines of `startpos moves …` or an SFEN, or games",
                        fault=error).at(path) from None


def shortened(opening: str, plies: int | None) -> str:
    if plies is None:
        return opening
    sfen, moves = parse_position(opening)
    return " ".join(["sfen", sfen, "moves", *moves[:plies]])


def require_room(openings: Sequence[str], max_plies: int) -> None:
    """Raise UserError if a game would be over by its length before anyone has moved."""
    if too_long := sum(Position.from_usi(opening).move_number > max_plies for opening in openings):
        raise UserError("--max-plies {plies}: {count} of {all} openings are as long, and their games would have no "
                        "move; give more plies, or shorter openings", plies=max_plies, count=too_long,
                        all=len(openings))


def digest_of(openings: Sequence[str]) -> str:
    """The digest of openings, by which a resumed run recognises them."""
    return sha256("\n".join(openings).encode()).hexdigest()
