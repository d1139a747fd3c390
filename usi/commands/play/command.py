"""The command `engine play`: a game against a person on the terminal."""
import random
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import click
from click.core import ParameterSource

from engine import BLACK, WHITE
from engine.records.handicaps import EVEN, HANDICAPS, names_of_sides
from engine.records.japanese import SIDE_NAMES
from engine.records.record import Record
from engine.records.writing import FORMATS, require_record_suffix
from eval.loading import load_evaluator
from search import Limits
from search.skill import FULL_LEVEL
from usi.commands.play.game import Game, GameClock
from usi.commands.play.signals import Signals
from usi.commands.play.table import Resumed, Table
from usi.commands.records import game_option, game_told
from usi.console.errors import INTERRUPTED
from usi.console.positions import read_position
from usi.console.ranges import Real
from usi.console.terminal import (
    MOVETIME_MS,
    depth_option,
    evaluation_option,
    hash_option,
    make_searcher,
    movetime_option,
    nodes_option,
    shown_style,
    style_option,
    threads_option,
)
from usi.files.writing import require_writable, unused
from usi.words.language import _, language, naming_sides_of

# By what English speakers call them; the piece or the number of pieces that White, who then moves first, plays without.
_HANDICAP_NAMES = {
    "none": "平手",
    "lance": "香落ち", "right-lance": "右香落ち", "bishop": "角落ち", "rook": "飛車落ち", "rook-lance": "飛香落ち",
    "2": "二枚落ち", "3": "三枚落ち", "4": "四枚落ち", "5": "五枚落ち", "6": "六枚落ち", "8": "八枚落ち",
    "10": "十枚落ち",
}


SHOWN_HANDICAPS = 8         # in a line of the help


class _Handicap(click.ParamType):     # type: ignore[type-arg]
    """A name of a handicap, in English or Japanese. Its value is the Japanese one."""

    name = "handicap"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        name = _HANDICAP_NAMES.get(value, value)
        if name not in _HANDICAP_NAMES.values():
            self.fail(f"{value!r} is not one of {', '.join(_names_of_handicaps())}.", param, ctx)
        return name

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        shown = list(_names_of_handicaps())
        return f"[{'|'.join(shown[:SHOWN_HANDICAPS])}|…]"


def _names_of_handicaps() -> Iterable[str]:
    """In the user's language, though both are understood."""
    return _HANDICAP_NAMES.values() if language() == "ja" else _HANDICAP_NAMES


RECORD = click.Path(dir_okay=False, path_type=Path)
# The name that a saved game has for the engine, with its level, if it was not at full strength.
_ENGINE = re.compile(r"Gakushi \S+(?:\D+(\d{1,2})\D*)?")


@click.command(short_help="Play a game against the engine on this terminal.")
@click.option("--color", type=click.Choice(["black", "white", "random"]), default="black", show_default=True,
              help="Your side. Black (sente) moves first, in handicap games White.")
@click.option("--handicap", type=_Handicap(), default="none", show_default=True,
              help="What White plays without: a piece, or a number of pieces.")
@click.option("--sfen", metavar="POSITION", help="Start from this position: an SFEN, or 'startpos moves …'.")
@click.option("--from", "begun", type=RECORD, metavar="RECORD", help="Start from the last position of a game, or from "
              "that after --ply.")
@click.option("--ply", type=click.IntRange(0, 10**9), metavar="N", help="How many moves of --from are kept.")
@click.option("--resume", type=RECORD, metavar="FILE", help="Go on with a saved game, on the same side and level, and "
              "save it there again.")
@game_option
@click.option("--level", type=click.IntRange(0, FULL_LEVEL), default=FULL_LEVEL, show_default=True,
              help="How strong the engine plays: 0 is the weakest, each level adds about 100 Elo, "
              f"{FULL_LEVEL} is full strength.")
@movetime_option
@nodes_option
@depth_option
@click.option("--time", "main", type=Real(0, 10_000), default=0, metavar="MINUTES",
              help="Clock: minutes for each side.")
@click.option("--byoyomi", type=Real(0, 100_000), default=0, metavar="SECONDS",
              help="Clock: seconds for each move after that.")
@click.option("--increment", type=Real(0, 100_000), default=0, metavar="SECONDS",
              help="Clock: seconds gained with each move.")
@threads_option
@hash_option
@evaluation_option
@style_option
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Save the game here after every move: .kif or .ki2 (Shift_JIS), .kifu, .ki2u, .jkf or .csa (UTF-8). "
              "If the file exists, the new one gets a number.")
@click.option("--force", is_flag=True, help="Let --save replace a file.")
def play(color: str, handicap: str, sfen: str | None, begun: Path | None, ply: int | None, resume: Path | None,
         number: int | None, level: int, movetime: int | None, nodes: int | None, depth: int | None, main: float,
         byoyomi: float, increment: float, threads: int, hash_mb: int, evaluation: str | None, style: str | None,
         save: Path | None, force: bool) -> None:
    """Play a game against the engine on this terminal.

    Type a move in USI (7g7f) or Japanese (76歩, ７六歩), or `help` for the commands: undo, hint, moves, flip, save
    and others. Illegal moves are explained. Board and moves are shown in Japanese; --lines usi shows them in letters.

    --resume goes on with a saved game and keeps its times and comments; --from plays on from any game, at any move.

    --level makes the engine weaker. --movetime (1000 if there is no other limit), --nodes and --depth limit its search
    at any level. With a clock the engine manages its own time, and a player who runs out of time loses; without a clock
    the time used is shown. Ctrl-C makes the engine move at once; at the prompt it quits.

    The game ends by mate, resignation, time, declaration (27 points), the fourth repetition, which is a draw, or
    perpetual check, which loses.

    Exit codes: 0 after quit or the end of the input; 1 if an option's file or position is wrong, or the game could not
    be saved; 2 wrong usage; 130 after Ctrl-C, 129 and 143 after SIGHUP and SIGTERM. With --save the game is saved in
    each case.
    """
    clock = GameClock(round(main * 60_000), round(byoyomi * 1000), round(increment * 1000))
    if not clock.is_limited and movetime is None and nodes is None and depth is None:
        movetime = MOVETIME_MS
    if sum([handicap != EVEN, sfen is not None, begun is not None, resume is not None]) > 1:
        raise click.UsageError("give only one of --handicap, --sfen, --from and --resume")
    if ply is not None and not begun:
        raise click.UsageError("--ply is for --from")
    resumed = _resumed(resume, number) if resume else None
    if resumed:
        start = resumed.record
        save = save or _if_writable(resumed.file)
    elif begun:
        start = _beginning(begun, number, ply)
    else:
        start = Record(read_position(sfen).sfen if sfen else HANDICAPS[handicap])
    rule = "CSARule27" if names_of_sides(start.initial_sfen) == SIDE_NAMES else "CSARule27H"
    game = Game(start, clock, rule)
    if save:
        require_record_suffix(save)
        if not (force or (resumed and resumed.is_in(save))):
            wanted, save = save, unused(save)
            if save != wanted:
                click.echo(_("{file} exists, so the game will be saved to {path} (--force replaces it)",
                             file=wanted, path=save))
        require_writable(save)
    person = random.choice((BLACK, WHITE)) if color == "random" else BLACK if color == "black" else WHITE
    if resumed and (seat := _engines_seat(resumed.record)):
        person = 1 - seat.side
        if _is_default("level"):
            level = seat.level
    searcher = make_searcher(hash_mb, threads, load_evaluator(evaluation))
    if sys.stdin.isatty():
        with suppress(ImportError):     # Python may lack it; it lets typed lines be edited and recalled
            import readline  # noqa: F401
    click.get_current_context().with_resource(naming_sides_of(game.position.initial_sfen))
    signals = Signals()
    table = Table(game, person, searcher, Limits(movetime=movetime, nodes=nodes, depth=depth), shown_style(style),
                  signals, save, force, level, resumed)
    sys.stdin.reconfigure(errors="replace")     # type: ignore[union-attr]  # a slip of the keyboard must not end it
    status = 0
    with signals.heard():
        try:
            table.sit_down()
        except KeyboardInterrupt:
            status = INTERRUPTED
            table.save_at_last(was_asked=True)
        except BaseException:
            table.save_at_last()
            raise
    sys.exit(status if table.is_saved else 1)


def _resumed(file: Path, number: int | None) -> Resumed:
    """The game of a file. Other games in it, and what of this one cannot be read, would be lost if it were replaced."""
    record, _form = game_told(str(file), number, strict=False)
    return Resumed(replace(record, terminal=None), None if number or record.faults else file)


def _beginning(file: Path, number: int | None, ply: int | None) -> Record:
    """The moves of a game that another one begins with."""
    record, _form = game_told(str(file), number, strict=False)
    if ply is not None and ply > len(record.moves):
        raise click.ClickException(_("{file} has {count} moves, so --ply {ply} is none of its positions", file=file,
                                     count=len(record.moves), ply=ply))
    return Record(record.initial_sfen, record.moves[:ply])


def _if_writable(file: Path | None) -> Path | None:
    return file if file and file.suffix.lower() in FORMATS else None


class _Seat(NamedTuple):
    """Where the engine sat in a saved game."""

    side: int
    level: int


def _engines_seat(record: Record) -> _Seat | None:
    for side, name in enumerate(record.names):
        if match := _ENGINE.fullmatch(name):
            return _Seat(side, int(match[1] or FULL_LEVEL))
    return None


def _is_default(option: str) -> bool:
    return click.get_current_context().get_parameter_source(option) == ParameterSource.DEFAULT
