#!/usr/bin/env python3
"""Play a match between two versions of the search in one process, and say what it proves.

    python scripts/match.py --b history_bonus=32 --nodes 3000 --games 400
    python scripts/match.py --a eval=new.weights --b eval=material --nodes 3000 --games 200
    python scripts/match.py --a threads=2 --byoyomi 100 --games 200 --jobs 1
    python scripts/match.py --b aspiration_window=25 --nodes 3000 --games 2000 --sprt 0 5 --out runs/window.jsonl

Each opening is played twice, with colours swapped. Games end by the rules (mate, declaration by 27 points, fourfold
repetition and perpetual check), as a draw after --max-plies, and as soon as both players' scores have agreed for some
moves that one of them is winning (--decisive 0: never). With --out every game is kept as it ends, and the same command
run again plays only those missing.

At fixed nodes with one thread the same seed gives the same games, however many jobs there are. The games of two equal
players are then equal too, and every pair ends 1-1.
"""
import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import click

from elo import Sprt, estimate
from engine import BLACK, WHITE
from game import Game, Pairing, Player, Rules, workers
from openings import OPENINGS, load
from search import Limits
from usi.bench import measure, positions
from usi.protocol import nodes_per_second

FINGERPRINT_NODES = 5000


@dataclass(frozen=True)
class Match:
    """Two players and the openings they play, each twice: games 2n and 2n + 1 are a pair, and A has Black in 2n."""

    a: Player
    b: Player
    openings: list[str]
    rules: Rules = field(default_factory=Rules)
    seed: int = 1               # shuffles the openings

    def pairings(self) -> list[Pairing]:
        openings = Random(self.seed).sample(self.openings, len(self.openings))
        return [Pairing(opening, players, self.rules)
                for opening in openings for players in ((self.a, self.b), (self.b, self.a))]

    def conditions(self) -> dict[str, object]:
        """All that the games depend on, as JSON has it, so that games of different matches are never mixed."""
        digest = sha256("\n".join(self.openings).encode()).hexdigest()
        return {"a": asdict(self.a) | {"fingerprint": fingerprint(self.a)},
                "b": asdict(self.b) | {"fingerprint": fingerprint(self.b)},
                "rules": asdict(self.rules), "seed": self.seed, "openings": digest}


def fingerprint(player: Player) -> str:
    """Of what the player finds in a fixed set of small searches: it changes with search and evaluation."""
    searcher = replace(player, threads=1).searcher()
    found = [measure(searcher, sfen, Limits(nodes=FINGERPRINT_NODES)) for sfen in positions()]
    text = repr([(each.bestmove, each.score, each.depth, each.nodes) for each in found])
    return sha256(text.encode()).hexdigest()[:16]


def color_of_a(number: int) -> int:
    return number % 2


def points(number: int, game: Game) -> float:
    """What A made of a game: 0, ½ or 1."""
    return 0.5 if game.winner is None else float(game.winner == color_of_a(number))


@dataclass
class Tally:
    """The games of a match by number, and what they add up to."""

    games: dict[int, Game] = field(default_factory=dict)

    @property
    def pairs(self) -> list[int]:
        """Complete pairs by A's score: 0, ½, 1, 1½, 2."""
        first_halves = (number for number in self.games if number % 2 == 0 and number + 1 in self.games)
        scores = Counter(points(number, self.games[number]) + points(number + 1, self.games[number + 1])
                         for number in first_halves)
        return [scores[half / 2] for half in range(5)]

    @property
    def wins_draws_losses(self) -> tuple[int, int, int]:
        counts = Counter(points(number, game) for number, game in self.games.items())
        return counts[1], counts[0.5], counts[0]

    def total(self, of: Callable[[Game], tuple[int, int]]) -> tuple[int, int]:
        """A figure that games keep for Black and White, added up for A and B."""
        return (sum(of(game)[color_of_a(number)] for number, game in self.games.items()),
                sum(of(game)[1 - color_of_a(number)] for number, game in self.games.items()))

    def slowest_ms(self) -> tuple[int, int]:
        return (max(game.slowest_ms[color_of_a(number)] for number, game in self.games.items()),
                max(game.slowest_ms[1 - color_of_a(number)] for number, game in self.games.items()))

    def headline(self, sprt: Sprt | None = None) -> str:
        """The state of the match in one line."""
        wins, draws, losses = self.wins_draws_losses
        line = f"{len(self.games)} games: +{wins} ={draws} -{losses}"
        if any(self.pairs):
            found = estimate(self.pairs)
            line += f", Elo {found}, LOS {100 * found.superiority:.1f} %"
            if sprt:
                line += f", LLR {sprt.ratio(self.pairs):+.2f}"
        return line

    def summary(self, sprt: Sprt | None = None) -> str:
        """What is known when the match is over; "A / B" before a line says whose its two figures are."""
        lines = [self.headline(sprt)]
        if not self.games:
            return lines[0]
        lines.append("pairs by A's score 0, ½, 1, 1½, 2: " + " ".join(map(str, self.pairs)))
        ends = Counter(game.end for game in self.games.values())
        lines.append("ends: " + ", ".join(f"{end} {count}" for end, count in ends.most_common()))
        black = sum(game.winner == BLACK for game in self.games.values())
        white = sum(game.winner == WHITE for game in self.games.values())
        lines.append(f"Black won {black}, White {white}")
        lines.append(f"length without opening: {sum(game.plies for game in self.games.values()) / len(self.games):.1f}"
                     " plies on average")
        (nodes_a, nodes_b), (ms_a, ms_b) = self.total(lambda game: game.nodes), self.total(lambda game: game.time_ms)
        lines.append(f"A / B nodes per second: {nodes_per_second(nodes_a, ms_a)} / {nodes_per_second(nodes_b, ms_b)}")
        lines.append("A / B slowest move: {} / {} ms".format(*self.slowest_ms()))
        if sprt:
            low, high = sprt.bounds
            verdict = {"elo0": f"{sprt.elo0:g} Elo accepted", "elo1": f"{sprt.elo1:g} Elo accepted",
                       None: "no verdict yet"}[sprt.verdict(self.pairs)]
            lines.append(f"SPRT {sprt.elo0:g} against {sprt.elo1:g}: LLR {sprt.ratio(self.pairs):+.2f} "
                         f"in ({low:.2f}, {high:.2f}), {verdict}")
        return "\n".join(lines)


class Record:
    """A file of games: the match's conditions as JSON in the first line, then a game on each."""

    def __init__(self, path: Path, conditions: Mapping[str, object]) -> None:
        """Open or begin the file. Raises ValueError if it holds games of another match."""
        self.path = path
        self.games: dict[int, Game] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        text = path.read_text(encoding="utf-8")
        whole = text[: text.rfind("\n") + 1]
        if whole != text:                       # a line was being written when the machine went down
            path.write_text(whole, encoding="utf-8")
        first, *lines = whole.splitlines() or [""]
        if not first:
            self._append(conditions)
        elif (found := json.loads(first)) != conditions:
            differing = [name for name in conditions if found.get(name) != conditions[name]]
            raise ValueError(f"{path} holds a match that differs in {', '.join(differing)}; delete it, or name another")
        for line in lines:
            values: dict[str, Any] = json.loads(line)
            number = values.pop("number")
            self.games[number] = Game(**values)

    def add(self, number: int, game: Game) -> None:
        self.games[number] = game
        self._append({"number": number} | asdict(game))

    def _append(self, values: Mapping[str, object]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(values) + "\n")


def run(match: Match, games: int, jobs: int = 1, sprt: Sprt | None = None, out: Path | None = None) -> Iterator[Tally]:
    """Play games 0 to `games` - 1, those already in the file `out` excepted, and yield the tally before the first and
    after each. Ends earlier when `sprt` has a verdict.

    Raises ValueError for an odd number of games, for more than the openings allow, and for another match in `out`.
    """
    pairings = match.pairings()
    if games % 2 or not 0 < games <= len(pairings):
        raise ValueError(f"{games} games cannot be played: {len(match.openings)} openings make an even number "
                         f"up to {len(pairings)}")
    tally = Tally()
    record = Record(out, match.conditions()) if out else None
    if record:
        tally.games = {number: game for number, game in record.games.items() if number < games}
    missing = [number for number in range(games) if number not in tally.games]
    yield tally
    with workers(jobs) as play_all:
        if sprt and sprt.verdict(tally.pairs):
            return
        for number, game in zip(missing, play_all(pairings[number] for number in missing), strict=True):
            tally.games[number] = game
            if record:
                record.add(number, game)
            yield tally
            if sprt and number % 2 and sprt.verdict(tally.pairs):
                return


def follow(tallies: Iterator[Tally], games: int, label: str = "", sprt: Sprt | None = None) -> Tally:
    """Play a match to its end, with a progress bar if there is a terminal."""
    last = Tally()

    def state(tally: Tally | None) -> str:
        return tally.headline(sprt) if tally else ""

    with click.progressbar(length=games, label=label, item_show_func=state, show_percent=False, width=20,
                           file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        for tally in tallies:
            bar.update(len(tally.games) - bar.pos, tally)
            last = tally
    return last


def parse_arguments() -> argparse.Namespace:
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for side in "ab":
        parser.add_argument(f"--{side}", default="", metavar="NAME=VALUE,…", help="how this player differs from the "
                            "default: margins of search/params.pyx, nodes, movetime, byoyomi, threads, hash, eval")
    limit = parser.add_mutually_exclusive_group(required=True)
    limit.add_argument("--nodes", type=int, help="for each move")
    limit.add_argument("--movetime", type=int, help="ms for each move")
    limit.add_argument("--byoyomi", type=int, help="ms for each move")
    parser.add_argument("--games", type=int, required=True, help="an even number")
    parser.add_argument("--openings", type=Path, default=OPENINGS, help="file of `startpos moves …` or SFEN lines "
                        f"(default: {OPENINGS.name})")
    parser.add_argument("--threads", type=int, default=1, help="of each player (1)")
    parser.add_argument("--hash", type=int, default=16, help="MB of each player's table (16)")
    parser.add_argument("--jobs", type=int, default=1, help="games played at the same time (1)")
    parser.add_argument("--sprt", type=float, nargs=2, metavar=("ELO0", "ELO1"), help="stop when one is accepted")
    parser.add_argument("--seed", type=int, default=1, help="of the order of openings (1)")
    parser.add_argument("--max-plies", type=int, default=Rules.max_plies, help=f"then a draw ({Rules.max_plies})")
    parser.add_argument("--decisive", type=int, default=Rules.decisive_score, metavar="SCORE",
                        help=f"centipawns that decide a game when both agree ({Rules.decisive_score}; 0: play on)")
    parser.add_argument("--out", type=Path, help="file to keep the games in, and to continue from")
    return parser.parse_args()


def main() -> None:
    given = parse_arguments()
    try:
        player = Player(nodes=given.nodes, movetime=given.movetime, byoyomi=given.byoyomi, threads=given.threads,
                        hash_mb=given.hash)
        match = Match(player.varied(given.a), player.varied(given.b), load(given.openings),
                      Rules(given.max_plies, given.decisive), given.seed)
        sprt = Sprt(*given.sprt) if given.sprt else None
        tally = follow(run(match, given.games, given.jobs, sprt, given.out), given.games, sprt=sprt)
    except (ValueError, OSError) as error:
        sys.exit(f"match: {error}")
    except KeyboardInterrupt:
        sys.exit(f"\ninterrupted; {'the same command continues' if given.out else 'without --out nothing is kept'}")
    print(tally.summary(sprt))


if __name__ == "__main__":
    main()
