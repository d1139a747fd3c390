#!/usr/bin/env python
"""Play games over USI, one engine on both sides, and hold every line against the protocol's strict parsers.

Each `info` and `bestmove` is parsed by rsshogi, and each line of play is played to its end on a board (usi_judge). The
first line that fails ends the run with status 1.
"""
import random
import sys
import tempfile
from collections import Counter

import click

from engine import Position
from scripts.games.openings import OPENINGS, load
from scripts.usi_judge import Violation
from scripts.usi_talk import Talk

MAX_PLIES = 320


def play(talk: Talk, opening: str, nodes: int, multi_pv: int) -> str:
    """One game; returns its end. Violation as soon as the engine says what it must not."""
    game = Position.from_usi(opening)
    talk.send(f"setoption name MultiPV value {multi_pv}\nusinewgame\n".encode())
    start = Position.from_usi(opening.partition(" moves ")[0]).sfen
    while len(game.moves) < MAX_PLIES:
        talk.send(f"position sfen {start} moves {' '.join(game.moves)}\ngo nodes {nodes}\n".encode())
        best = talk.answer().split()[1]
        if best in ("resign", "win"):
            break
        game.push(best)
        if game.repetition() != "none":
            best = "repetition"
            break
    else:
        best = "length"
    talk.send(b"gameover draw\n")
    talk.settle()
    return best


@click.command()
@click.option("--games", type=click.IntRange(1), default=200, show_default=True)
@click.option("--nodes", type=click.IntRange(1), default=400, show_default=True, help="Nodes of a move.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the choice of openings.")
@click.argument("engine", nargs=-1)
def main(games: int, nodes: int, seed: int, engine: tuple[str, ...]) -> None:
    """Play with ENGINE, a command with its arguments [default: this package]."""
    rng = random.Random(seed)
    openings = load(OPENINGS)
    ends: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        talk = Talk(list(engine) or [sys.executable, "-P", "-m", "usi"], folder)
        try:
            talk.send(b"usi\nsetoption name USI_Hash value 16\nsetoption name Threads value 1\n"
                      b"setoption name PvInterval value 0\nisready\n")
            for number in range(games):
                talk.transcript.clear()
                ends[play(talk, rng.choice(openings), nodes, multi_pv=1 + number % 3)] += 1
            talk.end("quit")
        except Violation as violation:
            raise click.ClickException(f"game {ends.total() + 1}: {violation}") from None
        finally:
            talk.close()
    parsed = ", ".join(f"{count} {word}" for word, count in talk.model.parsed.items())
    click.echo(f"{games} games without a fault: {', '.join(f'{count} {end}' for end, count in ends.items())}\n{parsed}")


if __name__ == "__main__":
    main()
