"""One rule for every output of every command: a file of something else is never replaced, cut or added to."""
import shutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest

from engine import STARTPOS_SFEN
from engine.records.csa import format_csa
from engine.records.record import GameRecord
from eval.learning.records import PSV
from eval.loading import PACKAGED
from scripts import learn, report
from tests.each import each
from tests.scripts.commands import invoke as invoke_script
from tests.scripts.test_ranges import scripts
from tests.scripts.training.conftest import GAMES, self_play
from tests.usi.commands.running import invoke
from tests.usi.commands.test_cli import commands
from usi.files.writing import PICTURE, WEB_PAGE

# Options and arguments that name a file or folder to read.
INPUTS = {"new", "openings", "files", "samples", "book", "init", "teacher", "before", "path", "paths", "records",
          "source", "from", "resume", "of"}
# Outputs that never overwrite a file: they choose an unused name or ask for --force. `bundle --dist` is a folder that
# is built anew.
NUMBERED = {("engine analyze", "save"), ("engine play", "save"), ("bundle", "dist")}

pytestmark = pytest.mark.usefixtures("short_fingerprints")

TEXT = b"Notes on the first week: 7g7f is good.\n" * 3
PAGE = b"<!DOCTYPE html>\n<title>Mine</title>\n"
DRAWING = b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>\n'
PLAY = ["--nodes", 9, "--hash", 1, "--eval-file", "material"]
LOOK = ["--nodes", 50, "--hash", 1, "--eval-file", "material", "--mate-nodes", 0]
THINK = ["--nodes", 9, "--eval-file", "material", "--positions", 1]
LEARN = ["some.psv", "--checkpoint", "run.npz", "--validation", 0.5, "--epochs", 1]

# The command and its output as `outputs` names it; arguments; the foreign file, and what is in it.
CASES: list[tuple[str, str, list[object], str, bytes]] = [
    ("engine analyze", "html", [*LOOK, "game.csa", "--html", "page.html"], "page.html", PAGE),
    ("engine analyze", "html", [*LOOK, "game.csa", "--html", "other.csa"], "other.csa", TEXT),
    ("engine analyze", "html", [*LOOK, "games", "--html", "pages"], "pages/index.html", PAGE),
    ("engine analyze", "html", [*LOOK, "games", "--html", "pages"], "pages/game.csa.html", PAGE),
    ("engine analyze", "picture", [*LOOK, "game.csa", "--picture", "a.png"], "a.png", TEXT),
    ("engine analyze", "picture", [*LOOK, "game.csa", "--picture", "a.svg"], "a.svg", DRAWING),
    ("engine analyze", "journal", [*LOOK, "game.csa", "--journal", "notes"], "notes", TEXT),
    ("engine diagram", "out", ["-o", "a.svg"], "a.svg", DRAWING),
    ("engine convert", "target", ["game.csa", "notes.kif"], "notes.kif", TEXT),
    ("engine book build", "out", ["game.csa", "--out", "book.db"], "book.db", TEXT),
    ("engine book merge", "out", ["a.db", "b.db", "--out", "book.db"], "book.db", TEXT),
    ("engine book think", "out", [*THINK, "--out", "c.db"], "c.db", TEXT),
    ("engine book think", "out", [*THINK, "--out", "c.db"], "c.db.jsonl", TEXT),
    ("generate", "out", [*PLAY, "--positions", 5, "--out", "a.psv"], "a.psv", TEXT),
    ("generate", "out", [*PLAY, "--positions", 5, "--out", "a.psv"], "a.json", TEXT),
    ("generate", "out", [*PLAY, "--positions", 5, "--out", "a.psv.xz"], "a.psv.xz", TEXT),
    ("generate", "folder", [*PLAY, "--positions", 5, "--folder", "self"], "self/manifest.json", TEXT),
    ("label", "out", ["--nodes", 9, "--eval-file", "material", "--out", "a.psv", "game.csa"], "a.psv", TEXT),
    ("label", "out", ["--nodes", 9, "--eval-file", "material", "--out", "a.hcpe.xz", "game.csa"], "a.hcpe.xz", TEXT),
    *((f"learn {kind}", option, [*LEARN, *more], name, content)
      for kind in ("network", "tables") for option, more, name, content in (
          ("checkpoint", [], "run.npz", TEXT), ("out", ["--out", "a.weights"], "a.weights", TEXT),
          ("out", ["--out", "a.weights"], "a.weights", PACKAGED.read_bytes()),
          ("curve", ["--curve", "a.tsv"], "a.tsv", TEXT), ("picture", ["--picture", "a.svg"], "a.svg", DRAWING))),
    ("learn mean", "out", ["some.psv", "--of", PACKAGED, "--out", "a.weights"], "a.weights", TEXT),
    ("loop", "folder", ["loop", *PLAY[:4], "--positions", 9], "loop/curve.tsv", TEXT),
    ("loop", "folder", ["loop", *PLAY[:4], "--positions", 9], "loop/000/generation.json", TEXT),
    ("loop", "folder", ["loop", *PLAY[:4], "--positions", 9], "loop/000/network.weights", TEXT),
    ("loop", "folder", ["loop", *PLAY[:4], "--positions", 9, "--generations", 1], "loop/001/network.weights", TEXT),
    ("match", "out", ["--nodes", 9, "--games", 2, "--out", "notes"], "notes", TEXT),
    ("screen", "out", ["--nodes", 9, "--games", 2, "--change", "rfp_beta=70", "--out", "notes"], "notes", TEXT),
    ("gate", "out", [PACKAGED, "--old", "material", "--out", "gate"], "gate/nodes.jsonl", TEXT),
    ("tune", "state", ["--state", "s", "--iterations", 1, "--margin", "rfp_margin=150,50,300,15,1"], "s", TEXT),
    ("report", "out", ["match.jsonl", "--out", "report"], "report/report.html", PAGE),
    ("report", "out", ["match.jsonl", "--out", "report"], "report/games.csa", TEXT),
    ("report", "out", ["match.jsonl", "--out", "report"], "report/kif/00001.kifu", TEXT),
]


def outputs() -> Iterator[tuple[str, str]]:
    """Every option and argument of every command that names a file or folder to write."""
    every = [*scripts(), *((f"engine {' '.join(path)}", command) for path, command in commands())]
    for name, command in every:
        for parameter in command.params:
            kind: Any = parameter.type
            kinds = kind.types if isinstance(kind, click.Tuple) else [kind]
            word = parameter.opts[-1].lstrip("-")
            if any(isinstance(each_kind, click.Path) for each_kind in kinds) and word not in INPUTS:
                yield name, word


def test_every_output_is_tried() -> None:
    assert {*outputs()} - NUMBERED == {(command, output) for command, output, *_ in CASES}


def run(command: str, arguments: list[object], status: int = 0) -> str:
    first, *more = command.split()
    if first == "engine":
        return invoke(*more, *arguments, status=status).output
    return invoke_script(import_module(f"scripts.{first}"), *more, *arguments, status=status).output


@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the commands run in, with what they read."""
    monkeypatch.chdir(tmp_path)
    Path("games").mkdir()
    for name in ("game.csa", "games/game.csa"):
        Path(name).write_text(format_csa(GameRecord(moves=["7g7f", "3c3d"])), encoding="utf-8")
    for name, move in (("a.db", "7g7f"), ("b.db", "2g2f")):
        Path(name).write_text(f"#YANEURAOU-DB2016 1.00\nsfen {STARTPOS_SFEN}\n{move} none 0 0 1\n")
    np.fromfile(self_play("played", GAMES), PSV, 600).tofile("some.psv")
    return tmp_path


@each(("command", "output", "arguments", "name", "content"), CASES)
def test_a_file_of_something_else_stays_as_it_is(command: str, output: str, arguments: list[object], name: str,
                                                 content: bytes, inputs: Path) -> None:
    """The file is named, and no other work has begun."""
    del output
    if "match.jsonl" in arguments and not Path("match.jsonl").exists():
        run("match", ["--nodes", 9, "--games", 2, "--max-plies", 40, "--out", "match.jsonl"])
    for each_name in ("a.weights", "run.npz"):      # of the cases before
        Path(each_name).unlink(missing_ok=True)
    foreign = Path(name)
    foreign.parent.mkdir(parents=True, exist_ok=True)
    foreign.write_bytes(content)
    said = run(command, arguments, status=1).splitlines()[-1]
    assert said.startswith("Error: ")
    assert foreign.name in said or (command == "report" and "report/kif is there" in said), said
    assert foreign.read_bytes() == content
    foreign.unlink()
    if foreign.parent != Path():
        shutil.rmtree(foreign.parts[0])


def test_what_a_command_has_made_itself_it_makes_anew(inputs: Path) -> None:
    for arguments in (["game.csa", *LOOK, "--html", "a.html", "--picture", "a.png"],
                      ["game.csa", *LOOK, "--picture", "a.svg"], ["games", *LOOK, "--html", "pages"]):
        for _ in range(2):
            run("engine analyze", arguments)
    for name in ("a.svg", "b.svg"):
        Path("b.svg").touch()       # a file without content is nobody's
        for _ in range(2):
            run("engine diagram", ["-o", name])
    run("match", ["--nodes", 9, "--games", 2, "--max-plies", 40, "--out", "match.jsonl"])
    for _ in range(2):
        invoke_script(report, "match.jsonl", "--out", "report")
    assert all(WEB_PAGE.is_own(path) for path in (Path("a.html"), Path("pages/index.html"), Path("report/report.html")))
    assert all(PICTURE.is_own(Path(name)) for name in ("a.png", "a.svg", "b.svg"))


def test_weights_are_replaced_by_their_own_run_or_by_force(inputs: Path) -> None:
    def learned(checkpoint: str, *more: object, status: int = 0) -> str:
        return invoke_script(learn, "network", *LEARN, "--checkpoint", checkpoint, "--out", "a.weights", "--threads", 1,
                             "--curve", "a.tsv", *more, status=status).output
    learned("run.npz")
    weights = Path("a.weights").read_bytes()
    learned("run.npz")
    assert Path("a.weights").read_bytes() == weights
    said = learned("other.npz", "--rate", 0.01, status=1)
    assert said == "Error: a.weights exists; name another file, or replace it with --force\n"
    assert Path("a.weights").read_bytes() == weights
    assert not Path("other.npz").exists(), "no time was spent"
    learned("other.npz", "--rate", 0.01, "--force")
    assert Path("a.weights").read_bytes() != weights
