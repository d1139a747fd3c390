"""The gate for new weights: they have to win two sequential tests against the old ones."""
from dataclasses import dataclass, replace
from pathlib import Path

from engine.errors import UserError
from eval.files import parse_weights, read_weights
from scripts.games.matches import Match, follow, run
from scripts.games.search_player import SearchPlayer
from scripts.games.settings import openings_setting
from scripts.stats.elo import Sprt
from usi.console.settings import ELO, GAMES, MS, NODES, setting
from usi.files.writing import write_file


@dataclass(frozen=True)
class GateTests:
    """The settings of both tests."""

    old: str | None = setting("Weights to beat, the packaged tables, or material alone [default: the packaged ones].",
                              None, None, metavar="FILE|tables|material")
    sprt: tuple[float, float] = setting("Hypotheses of the sequential tests.", ELO, (0, 15), nargs=2,
                                        metavar="ELO0 ELO1")
    nodes: int = setting("Nodes of a move in the first test.", NODES, 6000)
    movetime: int = setting("Milliseconds of a move in the second test.", MS, 50)
    games: int = setting("Maximum games in either test, or of each weights with the opponent.", GAMES, 2000)
    openings: Path = openings_setting()


def accepts(gate: GateTests, new: Path, openings: list[str], jobs: int, scheduler: str | None,
            out: Path | None) -> bool:
    """Whether the weights in `new` pass both tests; a test without a verdict counts as failed. Prints the results. The
    folder `out` keeps the games, and the same call resumes from it."""
    test = Sprt(*gate.sprt)
    for name, player in (("nodes", SearchPlayer(nodes=gate.nodes)), ("time", SearchPlayer(movetime=gate.movetime))):
        match = Match((replace(player, eval_file=str(new)), replace(player, eval_file=gate.old)), openings)
        course = run(match, gate.games, jobs, test, out / f"{name}.jsonl" if out else None, scheduler)
        tally, = follow(course, gate.games, name, test).tallies
        print(f"{name}: {tally.summary(test)}\n", flush=True)
        if test.verdict(tally.pairs) != "elo1":
            return False
    return True


def install(new: Path, played: str, packaged: Path, beaten: str) -> None:
    """Put the weights of a file in the place of packaged ones, whole or not at all. `played` and `beaten` are the
    checksums of both from before the games. Raises UserError if either file has been replaced by other weights
    since."""
    data = new.read_bytes()
    if parse_weights(data, new).checksum != played:
        raise UserError("{path} is no longer the file that the games were played with; run scripts/gate.py on it",
                        path=new)
    if read_weights(packaged).checksum not in (beaten, played):
        raise UserError("{path} is no longer the file that {new} has beaten; run scripts/gate.py again",
                        path=packaged, new=new)
    write_file(packaged, data)
