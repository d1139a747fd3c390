#!/usr/bin/env python
"""Play games over USI, one engine on both sides, and hold every line against the protocol's strict parsers.

Each `info` and `bestmove` is parsed by rsshogi, and each line of play is played to its end on a board. The first line
that fails ends the run with status 1.
"""
import random
import sys
import tempfile
from collections import Counter

import click

from engine import Position
from scripts.conformance.checked_engine import CheckedEngine
from scripts.conformance.protocol_model import Violation
from scripts.games.openings import OPENINGS, load

MAX_PLIES = 320


def play(engine: CheckedEngine, opening: str, nodes: int, multi_pv: int) -> str:
    """One game; returns its end. Violation as soon as the engine says what it must not."""
    game = Position.from_usi(opening)
    engine.send(f"setoption name MultiPV value {multi_pv}\nusinewgame\n".encode())
    start = Position.from_usi(opening.partition(" moves ")[0]).sfen
    while len(game.moves) < MAX_PLIES:
        engine.send(f"position sfen {start} moves {' '.join(game.moves)}\ngo nodes {nodes}\n".encode())
        best = engine.answer().split()[1]
        if best in ("resign", "win"):
            break
        game.push(best)
        if game.repetition() != "none":
            best = "repetition"
            break
    else:
        best = "length"
    engine.send(b"gameover draw\n")
    engine.settle()
    return best


@click.command()
@click.option("--games", type=click.IntRange(1), default=200, show_default=True)
@click.option("--nodes", type=click.IntRange(1), default=400, show_default=True, help="Nodes of a move.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the choice of openings.")
@click.argument("command", metavar="[ENGINE]...", nargs=-1)
def main(games: int, nodes: int, seed: int, command: tuple[str, ...]) -> None:
    """Play with ENGINE, a command with its arguments [default: this package]."""
    rng = random.Random(seed)
    openings = load(OPENINGS)
    ends: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        engine = CheckedEngine(list(command) or [sys.executable, "-P", "-m", "usi"], folder)
        try:
            engine.send(b"usi\nsetoption name USI_Hash value 16\nsetoption name Threads value 1\n"
                      b"setoption name PvInterval value 0\nisready\n")
            for number in range(games):
                engine.transcript.clear()
                ends[play(engine, rng.choice(openings), nodes, multi_pv=1 + number % 3)] += 1
            engine.end("quit")
        except Violation as violation:
            raise click.ClickException(f"game {ends.total() + 1}: {violation}") from None
        finally:
            engine.close()
    parsed = ", ".join(f"{count} {word}" for word, count in engine.model.parsed.items())
    click.echo(f"{games} games without a fault: {', '.join(f'{count} {end}' for end, count in ends.items())}\n{parsed}")


if __name__ == "__main__":
    main()
