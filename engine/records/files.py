"""Reading records from files: the encoding and the format are detected."""

import re
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from engine.errors import Listed, Phrase, UserError, of_type
from engine.records.formats import READ_SUFFIXES, names, recognised
from engine.records.record import GameRecord, LesserFault
from engine.sfen import STARTPOS_SFEN

# A text of one line that is no record, but looks like the name of a record's file.
_FILE_NAME = re.compile(rf"[^\n]*(?:{'|'.join(map(re.escape, (*READ_SUFFIXES, '.json', '.txt')))})", re.IGNORECASE)

# The encodings and Python's codecs for them, the strictest first. Hardly any text in one of them can be read in
# another, except that EUC-JP may look like half-width kana in Shift_JIS.
_ENCODINGS = (("UTF-8", ("utf-8-sig",)), ("EUC-JP", ("euc_jp", "euc_jis_2004")), ("Shift_JIS", ("cp932",)))
DECLARED_BYTES = 200
LAST_TWO_BYTES = 0x7FF      # the last letter that UTF-8 writes in two bytes
REPLACEMENT = "\ufffd"
MOST_DAMAGED = 20       # at most one bad letter in this many, if the encoding is to be recognised
# The name of an encoding, in the line that KIF and CSA have for it; a comment may hold the same words.
_DECLARED = re.compile(rb"^(?:#.*|'(?:CSA )?)encoding=(?:shift_jis|sjis|cp932|windows-31j)",
                       re.IGNORECASE | re.MULTILINE)
_PADDING = b"\0\x1a"      # behind the text: bytes that filled a disk's block, or ended a file on CP/M


class FoundRecords(NamedTuple):
    """The games of a file, with its format and encoding. `encoding` is "" for a text."""

    records: list[GameRecord]
    format: str         # its name in engine.records.formats
    encoding: str

    @property
    def form(self) -> Phrase:
        """The format and encoding, for people.

        >>> str(FoundRecords([], "KIF", "EUC-JP").form)
        'KIF in EUC-JP'
        """
        name = Phrase(self.format)
        return Phrase("{format} in {encoding}", format=name, encoding=self.encoding) if self.encoding else name


def find_records(source: str | bytes | PathLike[str], strict: bool = True) -> FoundRecords:
    """Read every game of a file in one of the FORMATS of `engine.records.formats`, or of moves alone in any notation.

    `source` is a path (a `Path`, not a str), the bytes of a file, or its text. Bytes are UTF-8 or UTF-16, EUC-JP,
    Shift_JIS (cp932) or ISO-2022-JP. Raises UserError, naming the recognised form, for an unknown encoding or text that
    the parsers refuse. Raises OSError if the file cannot be read.

    Unless `strict`, a faulty line is skipped, and an unreadable move together with all that follows it in its
    variation; each fault goes into the record's `faults`. Letters that the encoding lacks are replaced. UserError is
    raised only if nothing can be read.
    """
    of_type("source", source, str, bytes, PathLike)
    if isinstance(source, PathLike):
        source = Path(source).read_bytes()
    elif isinstance(source, str) and _FILE_NAME.fullmatch(source):
        raise UserError("{source!r} is the name of a file, and a str is read as the text of a record; give "
                        "pathlib.Path({source!r})", source=source)
    text, encoding = (source, "") if isinstance(source, str) else decode(source, strict)
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise UserError("there is no record: the file is empty" if not text else "there is no record, only blanks")
    form = recognised(text)
    found = FoundRecords([], form.name, encoding)
    damaged = text.count(REPLACEMENT) if encoding else 0
    try:
        found.records.extend(form.read(text, strict))
        require_any(found.records)
    except UserError as fault:
        raise fault.at(Phrase("read as {form}", form=found.form)) from None
    if damaged and not strict:
        found.records[0].faults.append(LesserFault("letters that are not in {encoding}: {text}", encoding=encoding,
                                                   text=damaged))
    return found


def require_any(records: Iterable[GameRecord]) -> None:
    """Raise the first game's fault if no part of any game could be read, as for a text that is no record."""
    faults = [record.faults for record in records]
    if all(faults) and not any(record.moves or record.variations or record.initial_sfen != STARTPOS_SFEN
                               for record in records):
        raise faults[0][0]


def read_records(source: str | bytes | PathLike[str], strict: bool = True) -> list[GameRecord]:
    """Every game of a file, as `find_records` reads it.

    >>> read_records("▲７六歩 △３四歩")[0].moves
    ['7g7f', '3c3d']
    """
    return find_records(source, strict).records


def read_record(source: str | bytes | PathLike[str], strict: bool = True) -> GameRecord:
    """Read the one game of a file, as `find_records` does. Raises UserError if there are several.

    >>> read_record("PI\\n+\\n+7776FU\\n").moves
    ['7g7f']
    >>> read_record("▲７六歩 △３四歩 ▲７六歩", strict=False).moves
    ['7g7f', '3c3d']
    """
    records = read_records(source, strict)
    if len(records) != 1:
        raise UserError("there are {count} games, not one; read them with read_records", count=len(records))
    return records[0]


def decode(data: bytes, strict: bool = True) -> tuple[str, str]:
    """The text of a file and the name of its encoding. Raises UserError for an unknown encoding.

    Unless `strict`, a few letters that the encoding lacks, as where a file was cut off, are replaced.
    """
    is_utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data.rstrip(_PADDING)
    text_end = len(data.rstrip(_PADDING))
    if is_utf16 and text_end % 2:
        text_end += 1           # the zero that is half of the last letter
    data = data[:text_end]
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        candidates: tuple[tuple[str, tuple[str, ...]], ...] = (("UTF-16", ("utf-16",)),)
    elif is_utf16:              # no other encoding has a zero byte: the high half of an ASCII letter
        is_big_endian = data[::2].count(0) > data[1::2].count(0)
        candidates = (("UTF-16", ("utf-16-be" if is_big_endian else "utf-16-le",)),)
    elif b"\x1b$" in data or b"\x1b(I" in data:
        candidates = (("ISO-2022-JP", ("iso2022_jp_2", "iso2022_jp_ext")),)     # _ext has half-width kana
    else:
        candidates = _ENCODINGS
        if _DECLARED.search(data[:DECLARED_BYTES]):
            candidates = (_ENCODINGS[0], *_ENCODINGS[:0:-1])
            if not _is_utf8(data):
                candidates = candidates[1:]
    for name, codecs in candidates:
        for codec in codecs:
            try:
                return data.decode(codec), name
            except UnicodeDecodeError:
                continue
    if not strict:
        damaged = [(data.decode(codec, "replace"), name) for name, codecs in candidates for codec in codecs]
        text, name = min(damaged, key=lambda found: found[0].count(REPLACEMENT))
        if text.count(REPLACEMENT) * MOST_DAMAGED <= len(text):
            return text, name
    raise UserError("this is no text in UTF-8, UTF-16, Shift_JIS, EUC-JP or ISO-2022-JP, so no record: a picture, a "
                    "program or an archive, perhaps; give a file in {formats}", formats=Listed(names(), " or "))


def _is_utf8(data: bytes) -> bool:
    """Whether the bytes are UTF-8 for certain. Two half-width kana of Shift_JIS may be a Latin letter in UTF-8, but no
    other text in Shift_JIS is valid UTF-8."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return False
    return text.isascii() or any(ord(letter) > LAST_TWO_BYTES for letter in text)
