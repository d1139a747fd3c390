"""The help of the commands: in Japanese for readers who have set it, and with the formats of records filled in."""
import re
from collections.abc import Callable
from copy import copy
from inspect import cleandoc
from typing import Any

import click

from engine.errors import Listed
from engine.records.formats import names, suffixes_by_encoding
from usi.words.language import _, language, translate
from usi.words.wording import LETTERS, columns_of, fold, pad


class Filled(click.Command):
    """A command whose help has fields, which `fields` fills for a language from the program's own tables."""

    def __init__(self, *arguments: Any, help: str, fields: Callable[[str], dict[str, object]], **options: Any) -> None:
        self.template, self.fields = cleandoc(help), fields
        super().__init__(*arguments, **options | {"help": self.template.format(**fields("en"), **KEPT)})


# Fields that any help may have, which `filled` fills.
KEPT = {"formats": "{formats}", "endings": "{endings}"}


def filled(text: str) -> str:
    """A help with the names of the formats of records, and the endings of their files with the encodings."""
    if "{" not in text:
        return text
    endings = ", ".join(f"{', '.join(those)} ({encoding})" for encoding, those in suffixes_by_encoding().items())
    return text.replace("{formats}", Listed(names(), " or ").told(translate)).replace("{endings}", endings)


def in_readers_language(command: click.Command) -> click.Command:
    """A copy of the command with its help filled in and translated, its subcommands included."""
    translated = copy(command)
    if language() != "en":
        translated.context_class = _Context
    translated.short_help = filled(_(command.short_help or command.get_short_help_str(limit=120)))
    # Not `_`, which keeps fields on one line: a help's may have several.
    translated.help = filled(translate(command.template).format(**command.fields(language()), **KEPT)
                             if isinstance(command, Filled) else _(cleandoc(command.help or "")))
    translated.params = [_translated(parameter) for parameter in command.params]
    if isinstance(translated, click.Group):
        translated.commands = {name: in_readers_language(each) for name, each in translated.commands.items()}
    return translated


def _translated(parameter: click.Parameter) -> click.Parameter:
    translated = copy(parameter)
    if isinstance(translated, click.Option):
        translated.help = filled(_(translated.help or ""))
    return translated


class _Page(click.HelpFormatter):
    """click's help page, with lines broken between letters, by the columns that they take."""

    def write_text(self, text: str) -> None:
        indent = " " * self.current_indent
        paragraphs = [paragraph[1:].strip("\n").splitlines() if paragraph.startswith("\b") else self._fold(paragraph)
                      for paragraph in re.split(r"\n{2,}", text)]
        self.write("\n\n".join("\n".join(indent + line for line in lines) for lines in paragraphs) + "\n")

    def write_dl(self, rows: Any, col_max: int = 30, col_spacing: int = 2) -> None:
        rows = list(rows)
        column = min(max(columns_of(term) for term, _text in rows), col_max) + col_spacing
        indent = "\n" + " " * (self.current_indent + column)
        for term, text in rows:
            first = pad(term, column) if columns_of(term) + col_spacing <= column else term + indent
            lines = self._fold(_(text), column)
            self.write(" " * self.current_indent + first + indent.join(lines) + "\n")

    def _fold(self, text: str, column: int = 0) -> list[str]:
        return fold(text, self.width - self.current_indent - column, indent=0, parts=LETTERS)


class _Context(click.Context):
    formatter_class = _Page
