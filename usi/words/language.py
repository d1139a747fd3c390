"""Translation of messages: English, or Japanese where the environment asks for it. The words of helps, messages and
errors are in data/ja.po, which `gettext`'s tools read."""
import gettext
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from importlib.resources import files

from engine.errors import Phrase, one_line
from engine.pieces import SIDES, SQUARES, square_index, square_name
from engine.records import japanese
from engine.records.handicaps import names_of_sides

_ENTRY = re.compile(r'^msgid ((?:".*"\s*)+)^msgstr ((?:".*"\s*)+)', re.MULTILINE)
_LETTER = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "b": "\b", '"': '"', "\\": "\\"}


class Catalogue(gettext.NullTranslations):
    """The translations of a .po file. Other text stays as it is."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.messages = {_joined(message): _joined(translation) for message, translation in _ENTRY.findall(text)}
        self.messages.pop("", None)         # the file's header

    def gettext(self, message: str) -> str:
        return self.messages.get(message) or message


def _joined(quoted: str) -> str:
    inner = "".join(line.strip()[1:-1] for line in quoted.splitlines() if line.strip())
    return _LETTER.sub(lambda letter: _ESCAPED.get(letter[1], letter[0]), inner)


def _of_system() -> str:
    """The user's language on systems that do not set it in the environment."""
    if sys.platform == "win32":
        import ctypes

        if ctypes.windll.kernel32.GetUserDefaultUILanguage() & 0x3ff == 0x11:      # LANG_JAPANESE
            return "ja"
    return "C"


_spoken: ContextVar[str | None] = ContextVar("_spoken", default=None)


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Speak "en" or "ja" during the block, whatever the environment asks for."""
    token = _spoken.set(name)
    try:
        yield
    finally:
        _spoken.reset(token)


def language() -> str:
    """The language to speak, "en" or "ja": the user's, but Japanese only if standard output can show it. In a block of
    `speaking`, the language named there."""
    if spoken := _spoken.get():
        return spoken
    asked = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), _of_system())
    if asked not in ("C", "POSIX") and not asked.startswith("C."):
        asked = os.environ.get("LANGUAGE") or asked
    try:
        "棋譜".encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        return "en"
    return "ja" if asked.lower().startswith("ja") else "en"


@lru_cache
def catalogue(name: str) -> gettext.NullTranslations:
    """The catalogue of a language."""
    if name == "en":
        return gettext.NullTranslations()
    return Catalogue(files("usi.words").joinpath(f"data/{name}.po").read_text(encoding="utf-8"))


def _(message: str, **fields: object) -> str:
    """A message in the user's language, with its fields filled in."""
    return Phrase(message, **fields).told(translate)


class _ClickTemplate(str):
    """A template of click's. Line breaks in its fields, such as file names, are escaped as in phrases."""

    __slots__ = ()
    MADE_OF_LINES = ("message", "choices")      # of templates, and by click

    def format(self, *values: object, **fields: object) -> str:
        return super().format(*values, **{
            name: one_line(value) if isinstance(value, str) and name not in self.MADE_OF_LINES else value
            for name, value in fields.items()})


@contextmanager
def click_translated() -> Iterator[None]:
    """Let click speak the user's language during the block: it asks gettext's default domain for its words."""
    def dgettext(domain: str, message: str) -> str:
        return _ClickTemplate(translate(message))

    def dngettext(domain: str, msgid1: str, msgid2: str, n: int) -> str:
        return _ClickTemplate(translate(msgid1 if n == 1 else msgid2))

    known = gettext.dgettext, gettext.dngettext
    gettext.dgettext, gettext.dngettext = dgettext, dngettext
    try:
        yield
    finally:
        gettext.dgettext, gettext.dngettext = known


_SQUARES = frozenset(map(square_name, range(SQUARES)))


def translate(template: str) -> str:
    """A template in the user's language, for `told` of phrases and errors. Names of sides and squares count as such."""
    if language() == "en":
        return template
    if template in SIDES:
        return side_name(SIDES.index(template))
    if template in _SQUARES:
        return square_text(template)
    return catalogue("ja").gettext(template)


_japanese_sides: ContextVar[tuple[str, str]] = ContextVar("_japanese_sides", default=japanese.SIDE_NAMES)


@contextmanager
def naming_sides_of(initial_sfen: str) -> Iterator[None]:
    """Let `side_name` name the sides of a game with this start: in handicap games their Japanese names differ."""
    token = _japanese_sides.set(names_of_sides(initial_sfen))
    try:
        yield
    finally:
        _japanese_sides.reset(token)


def side_name(side: int) -> str:
    """The name of a side, 0 for Black and 1 for White."""
    return _japanese_sides.get()[side] if language() == "ja" else SIDES[side]


def hand_name(side: int) -> str:
    """The heading of a side's hand."""
    return _("{side}'s hand", side=side_name(side))


def square_text(name: str) -> str:
    """The name of a square that is given in USI."""
    return japanese.square_name(square_index(name)) if language() == "ja" else name
