"""The table of options: how each is announced and how a value is read."""
import os
import re
from pathlib import Path

import pytest

from engine import UserError
from search import Settings
from search.threads import usable_cores
from tests.each import each
from tests.faults import refused
from tests.usi.conftest import options
from usi.session.options import OPTIONS, Button, Check, Combo, Option, Options, Spin, String
from usi.session.reporter import Reporting


def set_option(options: Options, name: str, text: str) -> str | None:
    return options.set(options.find(name), text)


@each("option", OPTIONS)
def test_line_has_the_form_that_guis_parse(option: Option) -> None:
    line = str(option)
    assert line.isascii()
    assert re.fullmatch(
        r"option name [A-Za-z0-9_]+ type (check|spin|combo|string|button)( (default|min|max|var) \S+)*", line
    )
    if isinstance(option, Spin):
        assert option.minimum <= option.default <= option.maximum
    if isinstance(option, Combo):
        assert option.default in option.choices


@each("option", OPTIONS)
def test_manual_tells_the_truth(option: Option) -> None:
    manual = (Path(__file__).parents[3] / "docs" / "USI.md").read_text(encoding="utf-8")
    (row,) = (line for line in manual.splitlines() if re.match(rf"\| ([^|]*, )?{option.name}[ ,]", line))
    _, _, kind, default, values, _, _ = (cell.strip() for cell in row.split("|"))
    assert kind == type(option).__name__.lower()
    if isinstance(option, Spin):
        assert values == f"{option.minimum}..{option.maximum}"
        assert default == str(option.default) or option.name == "Threads"
    if isinstance(option, Combo):
        assert values == ", ".join(option.choices)
    if isinstance(option, Check):
        assert default == str(option.default).lower()
    if isinstance(option, String):
        assert default == f"`{option.default or '<empty>'}`"


def test_defaults_can_be_read_back_and_are_those_of_the_search() -> None:
    options = Options()
    for option in OPTIONS:
        if not isinstance(option, Button):
            assert option.read(str(option.default)) == option.default
    assert options.number("USI_Hash") == 256
    assert options.settings() == Settings()
    assert options.reporting() == Reporting()


def test_settings_follow_the_options() -> None:
    assert options(
        MultiPV=3, DrawValueBlack=-100, DrawValueWhite=50, EnteringKingRule="TryRule", MaxMovesToDraw=256,
        NetworkDelay=1, NetworkDelay2=2, MinimumThinkingTime=4, SlowMover=70, RoundUpToFullSecond=False,
        GenerateAllLegalMoves=True, NodesLimit=9, DepthLimit=8,
    ).settings() == Settings(
        multi_pv=3, draw_value=(-100, 50), entering_king_rule="TryRule", max_moves=256,
        network_delay=1, network_delay2=2, minimum_thinking_time=4, slow_mover=70, round_up_to_full_second=False,
        generate_all_legal_moves=True, nodes_limit=9, depth_limit=8,
    )


def test_reporting_follows_the_options() -> None:
    assert options(PvInterval=7).reporting() == Reporting(7, bounds=True)
    assert options(PvInterval=7, OutputFailLHPV=False).reporting() == Reporting(7, bounds=False)
    assert options(PvInterval=7, ConsiderationMode=True).reporting() == Reporting(7, bounds=False)


ON, OFF, PATH = Check("Switch", True), Check("Switch", False), String("Path", "other")


@each(("option", "text", "value"), [
    (OFF, "true", True), (OFF, "1", True), (OFF, "True", True), (ON, "false", False), (ON, "0", False),
    (PATH, "<empty>", ""), (PATH, "", ""), (PATH, "/a b/棋譜.log", "/a b/棋譜.log"),
    (Combo("Rule", "One", ("One", "Two")), "two", "Two"),
])
def test_values_are_read_in_all_their_spellings(option: Check | String | Combo, text: str, value: object) -> None:
    assert option.read(text) == value


@each(("text", "value"), [("0", 1), ("-5", 1), ("593", 593), ("99999999999999999999", 593), ("9" * 5000, 593),
                          ("-" + "9" * 5000, 1)])
def test_spin_is_moved_into_its_range(text: str, value: int) -> None:
    options = Options()
    remark = set_option(options, "multipv", text)
    assert options.number("MultiPV") == value
    assert remark is None if text == "593" else remark is not None and text in remark and "1..593" in remark


@each(("name", "text"), [
    ("MultiPV", "many"), ("MultiPV", ""), ("MultiPV", "2.5"), ("USI_Ponder", "maybe"),
    ("EnteringKingRule", "CSARule99"),
])
def test_what_cannot_be_read_is_quoted_and_changes_nothing(name: str, text: str) -> None:
    options = Options()
    before = options.settings()
    with pytest.raises(UserError) as raised:
        set_option(options, name, text)
    assert (raised.value.fields["name"], raised.value.fields["text"]) == (name, text)
    assert options.settings() == before


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the system does not say")
def test_threads_are_as_many_as_the_processors_that_the_process_may_use() -> None:
    allowed = os.sched_getaffinity(0)
    spins = {option.name: option for option in OPTIONS if isinstance(option, Spin)}
    assert spins["Threads"].default == min(len(allowed), 4)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        assert usable_cores() == 1
    finally:
        os.sched_setaffinity(0, allowed)


@each(("name", "fault"), [
    *((name, refused(about=name)) for name in ("USI_Strength", "USI_ShowCurrLine")),
    ("usi_showrefutations", refused(about="USI_ShowRefutations")), ("NoSuch", refused(name="NoSuch")),
])
def test_a_name_that_we_lack_is_quoted_and_answered_in_words_if_the_protocol_has_it(name: str, fault: refused) -> None:
    with fault:
        Options().find(name)


def test_names_of_options() -> None:
    options = Options()
    # The text of the protocol predefines these, and those with other names here.
    for name, kind in (("USI_Hash", Spin), ("USI_Ponder", Check), ("USI_OwnBook", Check), ("USI_LimitStrength", Check)):
        assert isinstance(options.find(name), kind)
    set_option(options, "usi_multipv", "3")
    set_option(options, "USI_AnalyseMode", "true")
    assert options.settings().multi_pv == 3
    assert options.flag("ConsiderationMode")
    assert options.shown_option("USI_MultiPV") == "Options[MultiPV] == 3"
    assert len(options.shown()) == len({line.split()[0] for line in options.shown()})
    assert len({option.name.lower() for option in OPTIONS}) == len(OPTIONS)


@each(("file", "folder", "expected"), [
    ("", "", ""), ("material", "", "material"), ("material", "/some", "material"), ("mine.weights", "", "mine.weights"),
    ("mine.weights", "/some where", "/some where/mine.weights"),
    ("<empty>", "some", "some/default.weights"),
    ("/else/mine.weights", "some", "/else/mine.weights"),
])
def test_evaluation_asked_for(file: str, folder: str, expected: str) -> None:
    assert options(EvalFile=file, EvalDir=folder).evaluation() == expected


def test_networks_of_other_engines(tmp_path: Path) -> None:
    assert options(EvalDir=str(tmp_path)).evaluation() == str(tmp_path / "default.weights")
    (tmp_path / "nn.bin").touch()
    assert options(EvalDir=str(tmp_path)).evaluation() == str(tmp_path / "nn.bin")
    assert options(EvalDir=str(tmp_path), FV_SCALE="20").evaluation() == str(tmp_path / "nn.bin@20")
    assert [options(EvalFile=name, FV_SCALE="20").evaluation() for name in ("", "tables", "material", "a.bin")] == [
        "", "tables", "material", "a.bin@20"]
