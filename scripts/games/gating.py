"""The gate for new weights: they have to win two sequential tests against the old ones."""
from dataclasses import dataclass, replace
from pathlib import Path

from engine.errors import UserError
from eval.files import parse_weights, read_weights
from scripts.games.matches import Match, follow, run
from scripts.games.search_player import SearchPlayer
from scripts.stats.elo import Sprt
from usi.files.writing import write_file


@dataclass(frozen=True)
class GateTests:
    """The settings of both tests."""

    sprt: Sprt
    nodes: int          # of a move in the first test
    movetime: int       # ms of a move in the second
    games: int          # most games in either test; a test without a verdict then has failed
    openings: list[str]


def accepts(gate: GateTests, new: Path, old: str | None, jobs: int, scheduler: str | None, out: Path | None) -> bool:
    """Whether the weights in `new` pass both tests against `old`, a name for eval.loading. Prints the results. The
    folder `out` keeps the games, and the same call resumes from it."""
    for name, player in (("nodes", SearchPlayer(nodes=gate.nodes)), ("time", SearchPlayer(movetime=gate.movetime))):
        match = Match((replace(player, eval_file=str(new)), replace(player, eval_file=old)), gate.openings)
        course = run(match, gate.games, jobs, gate.sprt, out / f"{name}.jsonl" if out else None, scheduler)
        tally, = follow(course, gate.games, name, gate.sprt).tallies
        print(f"{name}: {tally.summary(gate.sprt)}\n", flush=True)
        if gate.sprt.verdict(tally.pairs) != "elo1":
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
