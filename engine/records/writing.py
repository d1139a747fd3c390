"""Writing records to files: the ending of a name decides the format and the encoding."""
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from engine.errors import Listed, Phrase, UserError
from engine.records.formats import SHIFT_JIS, UTF_8, Format, Part, format_of
from engine.records.record import GameRecord

_CODECS = {SHIFT_JIS: "cp932", UTF_8: "utf-8"}
_DECLARED = re.compile(r"^(#KIF\b.*\bencoding=)\S+", re.MULTILINE)       # in KIF and KI2
# Letters for which Windows' Shift_JIS has others that look alike: 〜 and － from a Mac, for example.
_AS_IN_WINDOWS = str.maketrans("\u301c\u2212\u2016\u2014\u00a2\u00a3\u00ac",
                               "\uff5e\uff0d\u2225\u2015\uffe0\uffe1\uffe2")


def written(path: Path, records: Sequence[GameRecord], strict: bool = True) -> tuple[bytes, list[Part]]:
    """The bytes of a file of this name, and the parts of the games that its format cannot hold, which are left out.

    Raises UserError for another ending than those of FORMATS, for several games where the format takes one, for letters
    that the encoding lacks, and if `strict` for each part that would be left out.
    """
    form = format_of(path)
    text, lost = formatted(form, records, strict)
    return _encoded(path, form, text), lost


def encoded(path: Path, record: GameRecord) -> bytes:
    """The bytes of a file of this name, without what its format cannot hold. Raises UserError for another ending, and
    for letters that the encoding lacks."""
    form = format_of(path)
    assert form.write
    return _encoded(path, form, form.write(record))


def formatted(form: Format, records: Sequence[GameRecord], strict: bool = True) -> tuple[str, list[Part]]:
    """The text of games in a format, and the parts that it cannot hold: those missing when the text is read again.
    Raises UserError as for `written`."""
    assert form.write
    if len(records) > 1 and not form.several:
        raise UserError("a file in {format} holds one game, not {count}", format=form.name, count=len(records))
    text = form.write(*records)
    again = form.read(text, False)
    lost = list(dict.fromkeys(part for game, found in zip(records, again, strict=True) for part in losses(game, found)))
    if lost and strict:
        raise UserError("{format} has no place for all {things} of the game; leave them out, or choose another format",
                        format=form.name, things=told_parts(lost, " and "))
    return text, lost


def told_parts(parts: Iterable[Part], last: str) -> Listed:
    """The names of parts of a game, for people; `last` stands before the last one."""
    return Listed(map(Phrase, parts), last)


def losses(game: GameRecord, found: GameRecord) -> Iterator[Part]:
    """The parts of a game that another record lacks. Lines that only KIF knows do not count, nor how exactly a game was
    lost."""
    lines, others = list(_lines(game)), list(_lines(found))
    if [(at, line.moves) for at, line in lines] != [(at, line.moves) for at, line in others]:
        yield "variations"
        del lines[1:], others[1:]
    pairs = [(line, other) for (_, line), (_, other) in zip(lines, others, strict=True)]
    if any(line.comments != other.comments for line, other in pairs):
        yield "comments"
    if any(line.times != other.times for line, other in pairs):
        yield "times"
    if game.names != found.names:
        yield "names"
    if game.headers != found.headers:
        yield "headers"
    if any(line.nags != other.nags for line, other in pairs):
        yield "nags"
    if (game.terminal is None, game.winner) != (found.terminal is None, found.winner):
        yield "results"


def _lines(game: GameRecord, place: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], GameRecord]]:
    """The game and its variations, each with the plies at which it and the variations that contain it begin."""
    yield place, game
    for ply, variations in sorted(game.variations.items()):
        for variation in variations:
            yield from _lines(variation, (*place, ply))


def _encoded(path: Path, form: Format, text: str) -> bytes:
    suffix = path.suffix.lower()
    encoding = form.suffixes[suffix]
    if len(set(form.suffixes.values())) > 1:
        text = _DECLARED.sub(rf"\g<1>{encoding}", text)
    if encoding == SHIFT_JIS:
        text = text.translate(_AS_IN_WINDOWS)
    try:
        return text.encode(_CODECS[encoding])
    except UnicodeEncodeError as fault:
        letters = fault.object[fault.start:fault.end]
        instead = path.with_suffix(next(other for other, its in form.suffixes.items() if its == UTF_8)).name
        raise UserError("{letters!r} cannot be written in {encoding}, which {ending} is in; write {other} instead",
                        letters=letters, encoding=encoding, ending=path.suffix, other=instead) from None
