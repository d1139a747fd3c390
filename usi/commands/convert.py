"""The command `engine convert`."""
from pathlib import Path

import click

from engine.errors import UserError
from engine.records.formats import format_of
from engine.records.writing import written
from usi.commands.records import game_option, game_told, games_told, parts_told
from usi.files.writing import require_new, write_file
from usi.words.language import _


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
    form = format_of(target)
    require_new(target, force)
    games = ([game_told(source, number, strict)[0]] if number or not form.several else games_told(source, strict))
    data, lost = written(target, games, strict=False)
    if lost and strict:
        raise UserError(_("{format} has no place for all {things} of the game", format=form.name,
                          things=parts_told(lost)))
    write_file(target, data)
    if lost:
        click.echo(_("{file}: not all {things} could be kept", file=target, things=parts_told(lost)), err=True)
