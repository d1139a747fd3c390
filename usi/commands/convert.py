"""The command `engine convert`."""
from collections.abc import Iterator
from pathlib import Path

import click

from engine.errors import UserError
from engine.records.record import GameRecord
from engine.records.writing import ALL_FORMATS, PLAIN, encoded, fitted, require_record_suffix
from usi.commands.records import game_option, game_told, games_told, parse_games
from usi.files.writing import write_file
from usi.words.language import _, listed

SEVERAL = (*PLAIN, ".pgn")      # a file may have several games


@click.command(short_help="Convert a game between formats.")
@click.argument("source", metavar="IN", type=click.Path(allow_dash=True))
@click.argument("target", metavar="OUT", type=click.Path(dir_okay=False, path_type=Path))
@game_option
@click.option("--strict", is_flag=True, help="Refuse a record that cannot be read, or written, whole.")
@click.option("--force", is_flag=True, help="Replace OUT if it exists.")
def convert(source: str, target: Path, number: int | None, strict: bool, force: bool) -> None:
    """Convert a game between formats.

    IN is a file in CSA, KIF, KI2, JKF, PGN or USI, or of moves alone as `engine play` reads them, or - for standard
    input; its format and encoding are found out. OUT ends in .kif or .ki2 (in Shift_JIS), .kifu, .ki2u, .jkf, .csa,
    .pgn, .usi or .sfen (in UTF-8). Variations, comments and times are kept where the format has a place for them; a
    line says what is not. Of a file with several games, all go into one in CSA, PGN or USI, and --game chooses one.

    Exit codes: 0 done; 1 a file is wrong, or OUT exists; 2 wrong usage.
    """
    suffix = require_record_suffix(target, ALL_FORMATS)
    if target.is_file() and not force:
        raise click.ClickException(_("{file} exists; name another file, or replace it with --force", file=target))
    games = ([game_told(source, number, strict)[0]] if number or suffix not in SEVERAL else
             games_told(source, strict))
    data = encoded(target, *(fitted(game, suffix) for game in games), formats=ALL_FORMATS)
    lost = list(dict.fromkeys(word for game, written in zip(games, parse_games(data), strict=True)
                              for word in _losses(game, written)))
    if lost and strict:
        raise UserError(_("{suffix} has no place for all {things} of the game", suffix=suffix,
                          things=listed(lost)))
    write_file(target, data)
    if lost:
        click.echo(_("{file}: not all {things} could be kept", file=target, things=listed(lost)), err=True)


def _losses(game: GameRecord, written: GameRecord) -> Iterator[str]:
    """The parts of a game that the written record does not keep. Lines that only KIF knows do not count."""
    if not (is_same_tree := _tree(game) == _tree(written)):
        yield _("variations")
    if game.comments != written.comments:
        yield _("comments")
    if game.times != written.times or (is_same_tree and _times(game) != _times(written)):
        yield _("times")
    if game.names != written.names:
        yield _("names")
    if game.headers != written.headers:
        yield _("headers")
    if (game.terminal is None, game.winner) != (written.terminal is None, written.winner):
        yield _("results")


def _tree(game: GameRecord) -> object:
    """The variations, with the comments on their moves."""
    return {ply: [(each.moves, each.comments, _tree(each)) for each in variations]
            for ply, variations in game.variations.items() if variations}


def _times(game: GameRecord) -> object:
    """The times of the game, and of each variation that has any."""
    inner = [_times(each) for variations in game.variations.values() for each in variations]
    return game.times, [times for times in inner if times != ({}, [])]
