#!/usr/bin/env python
"""Coverage-guided fuzzing (atheris, on libFuzzer) of all that reads text: SFEN, moves, USI commands, CSA and KIF.

A parser may refuse a text with a ValueError and with nothing else, and what it accepts it must write and read again
without a change. An input that breaks this is printed and left in `crash-…`; the same seed finds it again.
"""
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import atheris
import click

with atheris.instrument_imports(include=["engine.notation", "usi.protocol", "usi.options"]):
    import usi.protocol as protocol
    from engine import Position
    from engine.notation.csa import csa_to_usi, format_csa, parse_csa
    from engine.notation.files import read_records
    from engine.notation.kif import format_kif, kif_to_usi, parse_kif
    from engine.notation.record import Record
    from engine.notation.sfen import format_sfen, parse_sfen
    from usi.options import Options

GAME = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e", "5a6b", "4e3d"]
SFENS = [
    Position().sfen, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
]
RECORDS = [
    Record(moves=GAME, names=("先手", "後手"), headers={"EVENT": "a game"}, comments={0: "first", 2: "two\nlines"},
           times={1: 3, 2: 61}, terminal="TORYO"),
    Record(initial_sfen=SFENS[1], moves=["G*5b"], terminal="TSUMI"),
    Record(initial_sfen=SFENS[2], moves=["4a3b", "7g7f"], terminal="CHUDAN"),
]


def sfen(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    placement = parse_sfen(text)
    assert parse_sfen(format_sfen(placement)) == placement
    Position(text).legal_moves()


def usi(data: bytes) -> None:
    """A line as the session reads it."""
    options = Options()
    word, arguments = protocol.parse_command(data.decode("utf-8", "surrogateescape").strip())
    match word:
        case "position":
            position = Position.from_usi(arguments)
            assert Position(position.sfen).sfen == position.sfen
        case "go":
            protocol.parse_go(arguments)
        case "ponderhit":
            protocol.parse_ponderhit(arguments)
        case "setoption":
            name, value = protocol.parse_setoption(arguments)
            options.set(options.find(name), value)
            options.settings()


def csa(data: bytes) -> None:
    records = parse_csa(data.decode("utf-8", "replace"))
    again = parse_csa(format_csa(*records))
    assert [record.moves for record in again] == [record.moves for record in records]
    assert [record.terminal for record in again] == [record.terminal for record in records]


def kif(data: bytes) -> None:
    record = parse_kif(data.decode("utf-8", "replace"))
    again = parse_kif(format_kif(record))
    assert (again.moves, again.terminal) == (record.moves, record.terminal)


def files(data: bytes) -> None:
    for record in read_records(data):
        record.position()


def moves(data: bytes) -> None:
    """One text as a move of each notation."""
    text = data.decode("utf-8", "replace")
    position = Position.from_usi("startpos moves 7g7f 3c3d")
    refusals = []
    for read in (csa_to_usi, kif_to_usi, lambda _, usi: usi):
        try:
            position.push(read(position, text))
            position.pop()
        except ValueError as refusal:
            refusals.append(refusal)
    if len(refusals) == 3:
        raise refusals[0]


TARGETS: dict[str, tuple[Callable[[bytes], None], list[str]]] = {
    "sfen": (sfen, SFENS),
    "usi": (usi, [
        f"position startpos moves {' '.join(GAME)}", f"position sfen {SFENS[1]} moves G*5b",
        "go ponder btime 1000 wtime 2000 byoyomi 300", "go mate infinite", "go depth 3 searchmoves 7g7f 2g2f",
        "go nodes 100 binc 5 winc 6 rtime 7 movetime 8", "ponderhit btime 0 wtime 0 byoyomi 100",
        "setoption name USI_Hash value 16", "setoption name EnteringKingRule value TryRule",
        "setoption name DebugLogFile value <empty>", "setoption name Clear_Hash", "setoption name USI_Ponder value 1",
    ]),
    "csa": (csa, [format_csa(record) for record in RECORDS] + [format_csa(*RECORDS)]),
    "kif": (kif, [format_kif(record) for record in RECORDS]),
    "files": (files, [format_csa(RECORDS[0]), format_kif(RECORDS[0])]),
    "moves": (moves, ["2g2f", "+2726FU", "▲２六歩(27)", "２二角成(88)", "９六歩(97)", "8h2b+"]),
}


@click.command()
@click.argument("target", type=click.Choice(list(TARGETS)))
@click.option("--seconds", type=click.IntRange(1), default=60, show_default=True)
@click.option("--seed", type=click.IntRange(1), default=1, show_default=True)
@click.option("--runs", type=click.IntRange(1), help="At most so many inputs.")
def main(target: str, seconds: int, seed: int, runs: int | None) -> None:
    """Fuzz one of the parsers. Status 0 if no input broke it."""
    check, seeds = TARGETS[target]

    def run(data: bytes) -> None:
        try:
            check(data)
        except ValueError:
            return

    with tempfile.TemporaryDirectory() as corpus:
        for number, text in enumerate(seeds):
            Path(corpus, str(number)).write_bytes(text.encode())
        click.echo(f"seed {seed}")
        atheris.Setup([sys.argv[0], f"-max_total_time={seconds}", f"-seed={seed}", f"-runs={runs or -1}",
                       "-max_len=4096", "-timeout=60", "-verbosity=0", "-print_final_stats=1", corpus], run)
        atheris.Fuzz()      # ends the process


if __name__ == "__main__":
    main()
