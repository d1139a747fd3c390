"""Help in Japanese: every command, every option, and lines that fit."""
import re
from collections.abc import Iterator

import click
from click.testing import CliRunner

from tests.each import each
from usi.cli import main
from usi.words.wording import columns_of

CONTEXT = click.Context(main)
JAPANESE = re.compile("[ぁ-ん一-龥]")


def commands(command: click.Command = main, *path: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        for name in command.list_commands(CONTEXT):
            below = command.get_command(CONTEXT, name)
            assert below is not None
            if not below.hidden:
                yield from commands(below, *path, name)


ALL = dict(commands())


def page(path: tuple[str, ...], language: str = "ja_JP.UTF-8") -> str:
    result = CliRunner(env={"LC_ALL": language, "LANGUAGE": ""}).invoke(main, [*path, "--help"])
    assert result.exit_code == 0
    return result.output


@each("path", ALL)
def test_help_in_japanese(path: tuple[str, ...]) -> None:
    text = page(path)
    assert text.startswith("使い方: ")
    *_sections, options = text.split("\n\n") if not isinstance(ALL[path], click.Group) else text.split("\n\n")[:-1]
    about = re.split(r"\n  (?=-)", options)[1:]         # one text for each option
    assert len(about) == sum(isinstance(parameter, click.Option) and not parameter.hidden
                             for parameter in ALL[path].params) + 1
    assert all(JAPANESE.search(each) for each in about)
    assert "[default" not in text
    assert "[required" not in text
    folded = [line for line in text.splitlines() if " | " not in line and "autoload" not in line]
    assert max(map(columns_of, folded)) <= 80
