"""Every number that a command takes has a range; any other value ends the command with one line."""
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from tests.each import each
from tests.usi.commands.test_cli import commands
from usi.console.options import NumberIn, ParsedText
from usi.console.settings import Parsed, RealRange, WholeRange

SCRIPTS = Path(__file__).parents[2] / "scripts"
NUMBERS = (NumberIn, click.types.IntParamType, click.types.FloatParamType)
NO_NUMBERS = ["nan", "inf", "-inf", "9" * 40, "x", ""]


def scripts() -> Iterator[tuple[str, click.Command]]:
    for path in sorted(SCRIPTS.glob("*.py")):
        if path.stem not in ("__init__", "stubs"):      # stubs takes no options
            command = import_module(f"scripts.{path.stem}").main
            yield path.stem, command
            if isinstance(command, click.Group):
                yield from ((f"{path.stem} {name}", each) for name, each in command.commands.items())


def numbers(command: click.Command) -> Iterator[tuple[click.Parameter, int, Any]]:
    """The numbers of a command's options and arguments, each with its place in the option."""
    for parameter in command.params:
        kind = parameter.type
        kinds = kind.types if isinstance(kind, click.Tuple) else [kind]
        for place, each_kind in enumerate(kinds):
            if isinstance(each_kind, NUMBERS):
                yield parameter, place, each_kind


def outside(kind: WholeRange | RealRange) -> list[str]:
    step = 0 if isinstance(kind, RealRange) else 1
    low_open, high_open = (kind.min_open, kind.max_open) if isinstance(kind, RealRange) else (False, False)
    low = kind.least if low_open else kind.least - (step or 1e-6 * max(abs(kind.least), 1))
    high = kind.most if high_open else kind.most + (step or 1e-6 * abs(kind.most))
    return [repr(low), repr(high), *NO_NUMBERS]


def valid(kind: object) -> str:
    """Valid values for the other places of an option."""
    return "1" if isinstance(kind, NUMBERS) else "file"


def test_every_number_of_every_command_has_a_range(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    tried = 0
    every = [(f"scripts.{name}", command, True) for name, command in scripts()]
    every += [(" ".join(map(str, path)), command, False) for path, command in commands()]
    for name, command, is_script in every:
        for parameter, place, kind in numbers(command):
            case = f"{name} {parameter.name}"
            assert isinstance(kind, NumberIn), f"{case} has no range"
            low, high, *others = outside(kind.kind)
            for value in (low, high, others[tried // 3 % len(others)]):
                own = parameter.type.types if isinstance(parameter.type, click.Tuple) else [kind] * parameter.nargs
                values = [value if each == place else valid(other) for each, other in enumerate(own)]
                given = [parameter.opts[0], *values] if isinstance(parameter, click.Option) else ["--", *values]
                done = CliRunner().invoke(command, given)
                assert done.exit_code == 2, (case, value, done.output, done.exception)
                lines = done.output.splitlines()
                assert lines[-1].startswith("Error: Invalid value"), (case, value, done.output)
                assert not is_script or len(lines) == 1, (case, value, done.output)
                tried += 1
    assert tried > 350
    assert list(tmp_path.iterdir()) == []


def helps(command: click.Command) -> Iterator[tuple[str, str]]:
    """The left and the right column of a command's options."""
    context = click.Context(command)
    yield from filter(None, (parameter.get_help_record(context) for parameter in command.params))


def test_helps_are_phrases_and_have_units_in_place_of_ranges() -> None:
    every = [("scripts." + name, command) for name, command in scripts()]
    every += [(" ".join(map(str, path)), command) for path, command in commands()]
    shown = [(name, left, right) for name, command in every for left, right in helps(command)]
    assert len(shown) > 250
    assert [each for each in shown if "RANGE" in each[1] or "<=x" in each[2] or "<x" in each[2]] == []
    fragment = re.compile(r"(Of|At|By|With|In|To|For|As|Which|How|The same) ")
    assert [each for each in shown if fragment.match(each[2])] == []


GENERATE = ["--out", "a.psv", "--positions", "9"]
TUNE = ["--iterations", "9", "--state", "s", "--margin"]
NOTHING = "opening=0,random=0,handicap=0,entering=0,endgame=0,odd=0"


def test_a_value_that_is_read_already_stays_as_it_is() -> None:
    """click may ask twice; 8.0 does so for each default."""
    kind = ParsedText(Parsed("numbers", lambda text: list(map(int, text.split(",")))))
    assert kind.convert(kind.convert("1,2", None, None), None, None) == [1, 2]


@each(("command", "arguments", "complaint"), [
    ("match", ["--games", "2", "--sprt", "0", "5", "--alpha", "0.6", "--beta", "0.6"], "together are not below 1"),
    ("generate", [*GENERATE, "--mix", NOTHING], "--mix leaves no kind of start"),
    *(("generate", [*GENERATE, "--mix", text], f"'{text}' does not read name=integer with a known name")
      for text in ("opening", "opening=x", "closing=3")),
    ("generate", [*GENERATE, "--mix", "opening=-1"], "'opening=-1' is not in the range 0<=x<="),
    ("generate", [*GENERATE, "--params", f"rfp_margin={'9' * 30}"], "is not in the range"),
    ("generate", [*GENERATE, "--params", "rfp_margin=--5"], "'rfp_margin=--5' does not read"),
    ("tune", [*TUNE, "rfp_margin=150,50,300,15,1", "--margin", "rfp_margin=150,50,300,15,1"],
     "--margin names rfp_margin twice"),
    ("tune", [*TUNE, "rfp_margin=nan,50,300,15,0.002"], "rfp_margin=nan,50,300"),
    ("tune", [*TUNE, "rfp_margin=150,50,300,15,inf"], "rfp_margin=150,50,300"),
    ("tune", [*TUNE, "rfp_margin=150,50,300,15,1", "--pairs", "999999"], "--pairs 999999 are more than the"),
    ("tune", [*TUNE, "history_bonus=10,-1,40,4,0.5"], "history_bonus=10,-1,40,4,0.5: needed are 0 <= min"),
    ("generate", [*GENERATE, "--params", "rfp_beta=-1"], "'rfp_beta=-1' is not in the range"),
    ("match", ["--games", "2", "--nodes", "9", "--out", "g", "--a", "no_such=5"], "'no_such=5': no margin"),
    *(("match", ["--games", "2", "--nodes", "9", "--out", "g", option, value], "is not in the range")
      for option in ("--a", "--b") for value in ("threads=100000", "hash=0", "level=21", "nodes=0", "rfp_beta=-1")),
    *(("screen", ["--games", "2", "--out", "g", option, value], "is not in the range")
      for option in ("--base", "--change") for value in ("threads=100000", "rfp_beta=-1")),
    ("screen", ["--games", "2", "--out", "g", "--base", "eval"], "'eval' does not read"),
    ("learn", ["tables", "a.psv", "--checkpoint", "c", "--rates", "kk=nan"], "'kk=nan' is not in the range 0<=x<"),
])
def test_what_is_no_plain_number_has_ranges_too(command: str, arguments: list[str], complaint: str,
                                                monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(import_module(f"scripts.{command}").main, arguments)
    assert done.exit_code == 2, (done.output, done.exception)
    assert complaint in done.output.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []
