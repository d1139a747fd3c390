"""The Japanese catalogue is complete, read as gettext's tools read it, and used where the environment asks for it."""
import errno
import gettext
import inspect
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import click
import pytest

from engine.errors import PLACED
from engine.pieces import NAMES
from engine.records.formats import PARTS
from tests.each import each
from tests.processes import SECONDS
from tests.usi.commands.test_cli import commands
from tests.usi.words.templates import Use, classes, fields_of, first_arguments, templates_of, uses, uses_in
from usi.commands import doctor, help
from usi.commands.analyze.report import FACTS
from usi.commands.book.show import WAYS
from usi.commands.help import Filled
from usi.words import reasons
from usi.words.endings import ENDINGS
from usi.words.language import Catalogue, _, catalogue, language, side_name, square_text

# By functions, or from tables.
CHOSEN = {PLACED, ", ", " or ", " and ", "; ", "moves", *PARTS, *filter(None, NAMES), *FACTS.values(),
          *ENDINGS.values(), *(how for _any, how in WAYS if how), *reasons.WORDS.values(), *reasons.BY_NUMBER.values(),
          *doctor.COLOURS, *re.findall(r'(?:Finding|with_memory)\("([a-z ]+)"', inspect.getsource(doctor))}


# Calls whose text need not be a literal: they take words of a table in CHOSEN, or, in OF_SQUARES, name a square.
OF_A_TABLE = re.compile(r"Phrase\(((NAMES|SIDES)\[.*\]|side|self.format)\)|_\(.*\)", re.DOTALL)
OF_SQUARES = ("usi/words/illegal.py", "usi/commands/play/typed.py")
ANY = ("usi/words/language.py", "usi/words/reasons.py")     # what `_` is given, and the system's words
# They run where nothing is compiled, and so without the catalogue.
UNTOLD = ("scripts/bundle.py", "scripts/packaging/")
TOLD = re.compile(r"_\(|.*\.told\(translate\)$")


def helps() -> Iterator[str]:
    """Every text of the commands' help."""
    yield "Show this message and exit."
    for _path, command in commands():
        yield command.template if isinstance(command, Filled) else inspect.cleandoc(command.help or "")
        yield command.get_short_help_str(limit=120)
        yield from (each.help for each in command.params if isinstance(each, click.Option) and each.help)


def of_click() -> set[str]:
    """The templates of this click, and some that others have."""
    sources = Path(click.__file__).parent.glob("*.py")
    return templates_of(use for path in sources for use in uses_in(path.read_text(encoding="utf-8"), path.name)) | {
        "No such option: {name}", "No such option {name!r}.", "(Possible options: {possibilities})",
        "(Did you mean one of: {possibilities}?)", "required"}


def of_system() -> set[str]:
    """The system's messages for errors of files and processes."""
    return {os.strerror(number) for number in errno.errorcode}


def test_every_message_has_its_japanese_and_no_other_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")       # in Japanese the commands' help is translated already
    monkeypatch.setattr(help, "filled", str)
    known = catalogue("ja").messages        # type: ignore[attr-defined]
    own = {*CHOSEN, *helps(), *templates_of(uses())}
    assert own - set(known) == set()
    assert set(known) - own - of_click() - of_system() == set()
    assert all(known.values())


def test_translations_have_the_fields_of_their_messages() -> None:
    clicks = of_click()
    for message, translation in catalogue("ja").messages.items():       # type: ignore[attr-defined]
        assert fields_of(message) >= fields_of(translation), message
        assert fields_of(message) == fields_of(translation) or message in clicks, message


def test_nodes_are_no_plies_and_pages_are_large() -> None:
    for message, translation in catalogue("ja").messages.items():       # type: ignore[attr-defined]
        assert "ヒュージ" not in translation
        assert "手数の上限" not in translation or "plies" in message or "ply" in message, message


def test_errors_are_literal_templates_and_get_their_fields() -> None:
    assert len(uses()) > 800
    for use in uses():
        if None in use.templates:
            assert OF_A_TABLE.fullmatch(use.source) or (use.name == "Phrase" and use.place.startswith(
                OF_SQUARES + ANY)), f"{use.place}: give a literal and its fields: {use.source}"
        elif use.fields is not None:
            wanted = frozenset().union(*map(fields_of, filter(None, use.templates))) if use.fields else frozenset()
            assert use.fields - classes().get(use.name, frozenset()) <= wanted <= use.fields, use.place


def test_other_exceptions_that_people_read_are_told_in_their_language() -> None:
    for place, argument in first_arguments(("ClickException", "UsageError", "BadParameter", "fail", "MemoryError")):
        assert TOLD.match(argument) or place.startswith(UNTOLD), f"{place}: {argument}"


@each(("source", "found"), [
    ('raise UserError(f"{name} is wrong")', [Use("x.pyx:1", "UserError", (None,), frozenset())]),
    ('raise UserError("a(" "{b}",\n  b=f(1)) if <int>x else y',
     [Use("x.pyx:1", "UserError", ("a({b}",), frozenset("b"))]),
    ('A = "x"\ntelling(Phrase(A if y else "z"))', [Use("x.pyx:2", "Phrase", ("x", "z"), frozenset())]),
])
def test_what_is_found_in_cython(source: str, found: list[Use]) -> None:
    assert list(uses_in(source, "x.pyx")) == found


@pytest.mark.skipif(not shutil.which("msgfmt"), reason="needs gettext's msgfmt")
def test_gettext_reads_the_same(tmp_path: Path) -> None:
    compiled = tmp_path / "ja.mo"
    messages = str(files("usi.words") / "data" / "ja.po")
    subprocess.run(["msgfmt", "-c", "-o", compiled, messages], check=True, timeout=SECONDS)
    with compiled.open("rb") as file:
        theirs = gettext.GNUTranslations(file)
    for message, translation in catalogue("ja").messages.items():       # type: ignore[attr-defined]
        assert theirs.gettext(message) == translation


def test_a_file_of_words() -> None:
    found = Catalogue('msgid ""\nmsgstr "Language: ja\\n"\n\n# comment\nmsgid "a\\"b"\nmsgstr ""\n"c\\n"\n"d\\\\n"\n')
    assert found.messages == {'a"b': "c\nd\\n"}
    assert found.gettext("unknown") == "unknown"


@pytest.mark.parametrize(("environment", "spoken"), [
    ({}, "en"), ({"LANG": "ja_JP.UTF-8"}, "ja"), ({"LANG": "ja"}, "ja"), ({"LANG": "C.UTF-8"}, "en"),
    ({"LANG": "ja_JP.UTF-8", "LC_ALL": "C"}, "en"), ({"LANG": "de_DE.UTF-8"}, "en"),
    ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "ja_JP.UTF-8"}, "ja"), ({"LANG": "en_US.UTF-8", "LANGUAGE": "ja"}, "ja"),
    ({"LANG": "C", "LANGUAGE": "ja"}, "en"), ({"LANG": "", "LC_ALL": "ja_JP.eucJP"}, "ja"),
])
def test_whose_language(environment: dict[str, str], spoken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert language() == spoken


@pytest.mark.usefixtures("japanese")
def test_an_output_without_japanese_gets_english(monkeypatch: pytest.MonkeyPatch) -> None:
    class Ascii:
        encoding = "ascii"

    assert language() == "ja"
    monkeypatch.setattr("sys.stdout", Ascii())
    assert language() == "en"


@pytest.mark.usefixtures("japanese")
def test_words() -> None:
    assert (side_name(0), square_text("7g")) == ("先手", "７七")
    assert _("{side} resigns", side=side_name(1)) == "後手の投了"
