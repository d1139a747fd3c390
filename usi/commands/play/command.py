"""The command `engine play`: a game against a person on the terminal."""
import random
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import click
from click.core import ParameterSource

from engine import BLACK, WHITE, Position
from engine.errors import Listed
from engine.records.handicaps import EVEN, HANDICAPS, names_of_sides
from engine.records.japanese import SIDE_NAMES
from engine.records.record import GameRecord
from search.skill import FULL_LEVEL
from usi.commands.play.game import GameClock, GameInPlay
from usi.commands.play.signals import Signals
from usi.commands.play.table import Resumed, Table
from usi.commands.records import game_option, game_told, keeps, where_to_save
from usi.console.errors import INTERRUPTED
from usi.console.options import click_type, options_of
from usi.console.settings import FILE, OneOf, RealRange, WholeRange, setting
from usi.console.terminal import MOVETIME_MS, SearchOptions, shown_style
from usi.words.language import _, language, naming_sides_of
from usi.words.typed import read_position

# By their English names: the piece, or the number of pieces, that White, who then moves first, plays without.
_HANDICAP_NAMES = {
    "none": "平手",
    "lance": "香落ち", "right-lance": "右香落ち", "bishop": "角落ち", "rook": "飛車落ち", "rook-lance": "飛香落ち",
    "2": "二枚落ち", "3": "三枚落ち", "4": "四枚落ち", "5": "五枚落ち", "6": "六枚落ち", "8": "八枚落ち",
    "10": "十枚落ち",
}


SHOWN_HANDICAPS = 8         # in a line of the help


class _Handicap(click.ParamType):     # type: ignore[type-arg]
    """The name of a handicap, in English or Japanese; its value is the Japanese name."""

    name = "handicap"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        name = _HANDICAP_NAMES.get(value, value)
        if name not in _HANDICAP_NAMES.values():
            self.fail(_("{value!r} is not one of {choices}.", value=value, choices=Listed(_names_of_handicaps())),
                      param, ctx)
        return name

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        shown = list(_names_of_handicaps())
        return f"[{'|'.join(shown[:SHOWN_HANDICAPS])}|…]"


def _names_of_handicaps() -> Iterable[str]:
    """The names in the user's language; both languages are understood."""
    return _HANDICAP_NAMES.values() if language() == "ja" else _HANDICAP_NAMES


# The name that a saved game has for the engine, with its level, if it was not at full strength.
_ENGINE = re.compile(r"Gakushi \S+(?:\D+(\d{1,2})\D*)?")


@dataclass(frozen=True)
class Start:
    """The start of the game, and the person's side."""

    color: str = setting("Your side. Black (sente) moves first, in handicap games White.",
                         OneOf(["black", "white", "random"]), "black")
    handicap: str = setting("What White plays without: a piece, or a number of pieces.", _Handicap(), "none")
    sfen: str | None = setting("Start from this position: an SFEN, or 'startpos moves …'.", None, None,
                               metavar="POSITION")
    begun: Path | None = setting("Start from the last position of a game, or from that after --ply.", FILE, None,
                                 "--from", metavar="RECORD")
    ply: int | None = setting("Number of moves of --from to keep.", WholeRange(0, 10**9), None)
    resume: Path | None = setting("Go on with a saved game, on the same side and level, and save it there again.",
                                  FILE, None, metavar="FILE")


@dataclass(frozen=True)
class Times:
    """The options of the clock."""

    main: float = setting("Clock: minutes for each side.", RealRange(0, 10_000, unit="MINUTES"), 0, "--time",
                          show_default=False)
    byoyomi: float = setting("Clock: seconds for each move after that.", RealRange(0, 100_000), 0, metavar="SECONDS",
                             show_default=False)
    increment: float = setting("Clock: seconds gained with each move.", RealRange(0, 100_000), 0, metavar="SECONDS",
                               show_default=False)

    def clock(self) -> GameClock:
        return GameClock(round(self.main * 60_000), round(self.byoyomi * 1000), round(self.increment * 1000))


@dataclass(frozen=True)
class Saving:
    """The options for saving the game."""

    save: Path | None = setting("Save the game here after every move: {endings}. If the file exists, the new one "
                                "gets a number.", FILE, None, metavar="FILE")
    force: bool = setting("Let --save replace a file.", None, False)


@click.command(short_help="Play a game against the engine on this terminal.")
@options_of(Start, "start")
@game_option
@click.option("--level", type=click_type(WholeRange(0, FULL_LEVEL)), default=FULL_LEVEL, show_default=True,
              help="Strength of the engine: 0 is the weakest, each level adds about 100 Elo, "
              f"{FULL_LEVEL} is full strength.")
@options_of(Times, "times")
@options_of(SearchOptions, "search")
@options_of(Saving, "saving")
def play(start: Start, number: int | None, level: int, times: Times, search: SearchOptions, saving: Saving) -> None:
    """Play a game against the engine on this terminal.

    Type a move in USI (7g7f) or Japanese (76歩, ７六歩), or `help` for the commands: undo, hint, moves, flip, save
    and others. Illegal moves are explained. Board and moves are shown in Japanese; --lines usi shows them in letters.

    --resume goes on with a saved game and keeps its clock and comments; --from plays on from any game, at any move.

    --level makes the engine weaker. --movetime (1000 if there is no other limit), --nodes and --depth limit its search
    at any level. With a clock the engine manages its own time, and a player who runs out of time loses; without a clock
    the time used is shown. Ctrl-C makes the engine move at once; at the prompt it quits.

    The game ends by mate, resignation, time, declaration (27 points), the fourth repetition, which is a draw, or
    perpetual check, which loses.

    Exit codes: 0 after quit or the end of the input; 1 if an option's file or position is wrong, or the game could not
    be saved; 2 wrong usage; 130 after Ctrl-C, 129 and 143 after SIGHUP and SIGTERM. With --save the game is saved in
    each case.
    """
    clock = times.clock()
    if sum([start.handicap != EVEN, start.sfen is not None, start.begun is not None, start.resume is not None]) > 1:
        raise click.UsageError(_("give only one of {options}", options=Listed(
            ("--handicap", "--sfen", "--from", "--resume"), " and ")))
    if start.ply is not None and not start.begun:
        raise click.UsageError(_("--ply is for --from"))
    resumed = _resumed(start.resume, number) if start.resume else None
    save = saving.save
    if resumed and not clock.is_limited:
        clock = GameClock.of(resumed.record)
    if resumed:
        record = resumed.record
        save = save or resumed.file
    elif start.begun:
        record = _beginning(start.begun, number, start.ply)
    else:
        begun = read_position(start.sfen) if start.sfen else Position(HANDICAPS[start.handicap])
        record = GameRecord(begun.initial_sfen, begun.moves)
    rule = "CSARule27" if names_of_sides(record.initial_sfen) == SIDE_NAMES else "CSARule27H"
    game = GameInPlay(record, clock, rule)
    if save:
        save = where_to_save(save, saving.force or bool(resumed and resumed.is_in(save)))
    person = random.choice((BLACK, WHITE)) if start.color == "random" else BLACK if start.color == "black" else WHITE
    if resumed and (seat := _engines_seat(resumed.record)):
        side, level_then = seat
        person = 1 - side
        if click.get_current_context().get_parameter_source("level") == ParameterSource.DEFAULT:
            level = level_then
    searcher = search.searcher()
    if sys.stdin.isatty():
        with suppress(ImportError):     # Python may lack it; it lets typed lines be edited and recalled
            import readline  # noqa: F401
    click.get_current_context().with_resource(naming_sides_of(game.position.initial_sfen))
    signals = Signals()
    limits = search.limits(None if clock.is_limited else MOVETIME_MS)
    table = Table(game, person, searcher, limits, shown_style(search.style), signals, save, saving.force, level,
                  resumed)
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
    """The game of a file. It is saved elsewhere if replacing the file would lose other games, or parts that cannot be
    read or written."""
    record, _form = game_told(str(file), number, strict=False)
    return Resumed(replace(record, terminal=None), None if number or record.faults or not keeps(file, record) else file)


def _beginning(file: Path, number: int | None, ply: int | None) -> GameRecord:
    """The record's moves with which the new game begins."""
    record, _form = game_told(str(file), number, strict=False)
    if ply is not None and ply > len(record.moves):
        raise click.ClickException(_("{file} has {count} moves, so --ply {ply} is none of its positions", file=file,
                                     count=len(record.moves), ply=ply))
    return GameRecord(record.initial_sfen, record.moves[:ply])


def _engines_seat(record: GameRecord) -> tuple[int, int] | None:
    """The engine's side and level in a saved game; None if it did not play."""
    for side, name in enumerate(record.names):
        if match := _ENGINE.fullmatch(name):
            return side, int(match[1] or FULL_LEVEL)
    return None
