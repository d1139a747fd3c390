"""The commands about one position: `engine eval` and `engine diagram`."""
from pathlib import Path

import click

from engine.records.record import GameRecord
from engine.records.usi import names_position
from engine.sfen import MOVE
from eval.loading import load_evaluator, weights_file
from eval.network import EvalNetwork
from usi.commands.explain import network, tables
from usi.commands.records import game_option, game_told
from usi.console.figure import png, require_picture
from usi.console.options import click_type
from usi.console.settings import WholeRange
from usi.console.terminal import columns, evaluation_option, json_option, show, show_json
from usi.files.writing import write_file
from usi.words.language import _, language
from usi.words.typed import read_position


@click.command("eval", short_help="Say what a position is worth and why.")
@click.argument("position", nargs=-1, metavar="[POSITION]")
@evaluation_option
@json_option
def evaluate(position: tuple[str, ...], evaluation: str | None, to_json: bool) -> None:
    """Explain the evaluation of a position.

    For the network, shows what each piece contributes; for the tables, each term, the heaviest pairs of pieces, and
    each piece.

    POSITION is an SFEN or 'startpos moves …' [default: the start of the game].
    """
    explained = read_position(" ".join(position))
    source = load_evaluator(evaluation).source
    if isinstance(source, EvalNetwork):
        seen = network.explain(explained, source)
        data, lines = network.as_json(seen), network.as_lines(seen, columns())
    else:
        path = weights_file(evaluation)
        found = tables.explain(explained, tables.read_tables(path) if path else None)
        data, lines = tables.as_json(found), tables.as_lines(found, columns())
    if to_json:
        show_json(data)
    else:
        show(*lines)


@click.command(short_help="Draw a position into a file.")
@click.argument("position", nargs=-1, metavar="[POSITION|RECORD]")
@click.option("-o", "--out", required=True, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="The picture to write: .svg, or .png, which needs matplotlib.")
@game_option
@click.option("--ply", type=click_type(WholeRange(0, 10**6)),
              help="Draw the position after this many moves, not the last.")
@click.option("--flip", is_flag=True, help="Show the board as White sees it.")
@click.option("--arrow", "arrows", multiple=True, metavar="MOVE",
              help="Draw an arrow for this move: 7g7f, 76歩 or any other notation.")
def diagram(position: tuple[str, ...], out: Path, number: int | None, ply: int | None, flip: bool,
            arrows: tuple[str, ...]) -> None:
    """Draw a position into a file, with the last move marked.

    POSITION is an SFEN or 'startpos moves …' [default: the start of the game].
    RECORD is a file in {formats}, or - for standard input.
    """
    shown = _game(" ".join(position), number).position(ply)
    require_picture(out, "-o")
    # In USI, also of the side that is not to move.
    svg = shown.svg([move if MOVE.fullmatch(move) else shown.parse_move(move) for move in arrows], flip,
                    ranks="japanese" if language() == "ja" else "western")
    write_file(out, svg.encode() if out.suffix.lower() == ".svg" else png(svg))


def _game(words: str, number: int | None) -> GameRecord:
    """The game of a file, or the moves of a position."""
    if words and not names_position(words):
        return game_told(words, number, strict=False)[0]
    if number:
        raise click.UsageError(_("--game chooses a game of a file"))
    given = read_position(words)
    return GameRecord(given.initial_sfen, list(given.moves))
