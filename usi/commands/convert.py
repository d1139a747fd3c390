"""The command `engine convert`."""
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from engine.errors import Listed, UserError, one_line
from engine.records.formats import SUFFIXES, format_of
from engine.records.record import GameRecord
from engine.records.writing import formatted, written
from usi.commands.records import files_of, game_option, game_told, games_told, lost_told
from usi.console.streams import unguarded
from usi.files.reading import STDIN
from usi.files.writing import require_new, write_file
from usi.words.language import _
from usi.words.reasons import reason

STDOUT = "-"


@click.command(short_help="Convert games between formats.")
@click.argument("source", metavar="IN", type=click.Path(allow_dash=True))
@click.argument("target", metavar="OUT", type=click.Path(allow_dash=True))
@click.option("--to", metavar="ENDING",
              help="The format where OUT is a folder or standard output, by the ending of its files: kif, kifu, csa …")
@game_option
@click.option("--strict", is_flag=True, help="Refuse a record that cannot be read, or written, whole.")
@click.option("--force", is_flag=True, help="Replace files that exist.")
def convert(source: str, target: str, to: str | None, number: int | None, strict: bool, force: bool) -> None:
    """Convert games between formats.

    IN is a file in {formats}, or of moves alone as `engine play` reads them,
    or - for standard input; its format and encoding are found out. OUT is a file that ends in
    {endings}. With --to, OUT may be a folder,
    or - for standard output. Variations, comments and times are kept where the format has a place for them; a line says
    what is not. Of a file with several games, all go into one where the format takes several, and --game chooses one.

    If IN is a folder, all records in it, however deep, go into the folder OUT under their own names. Those that cannot
    be converted are named, and left out.

    Exit codes: 0 done; 1 a file is wrong, or exists already; 2 wrong usage.
    """
    suffix = "." + to.lower().removeprefix(".") if to else ""
    is_folder = source != STDIN and Path(source).is_dir()
    if suffix and suffix not in SUFFIXES:
        raise click.UsageError(_("--to {ending} is no ending of records; they are {endings}", ending=to,
                                 endings=Listed(SUFFIXES)))
    if not suffix and (is_folder or target == STDOUT or Path(target).is_dir()):
        raise click.UsageError(_("a folder and standard output need --to, which names the format"))
    if suffix and not is_folder and target != STDOUT and not Path(target).is_dir():
        raise click.UsageError(_("--to is for a folder or standard output; the ending of OUT names the format"))
    if is_folder:
        if number:
            raise click.UsageError(_("--game chooses a game of one file, and IN is a folder"))
        _convert_folder(Path(source), Path(target), suffix, strict, force)
        return
    if target == STDOUT:
        out = Path(STDOUT + suffix)
    else:
        out = Path(target, (Path(source).stem if source != STDIN else "game") + suffix) if suffix else Path(target)
    form = format_of(out)
    if target != STDOUT:
        require_new(out, force)
    games = [game_told(source, number, strict)[0]] if number or not form.several else games_told(source, strict)
    if target == STDOUT and sys.stdout.isatty():
        click.echo(formatted(form, games, strict=False)[0], nl=False)
    elif target == STDOUT:
        data = _made(games, out, strict, _("standard output"))
        unguarded(sys.stdout).buffer.write(data)
        sys.stdout.flush()
    else:
        write_file(out, _made(games, out, strict))


def _convert_folder(source: Path, target: Path, suffix: str, strict: bool, force: bool) -> None:
    """Convert the records of a folder. Raises SystemExit with status 1 if one could not be."""
    done = failed = 0
    paths = list(files_of((source,)))
    takes = {_place(path): path for path in paths}     # by output: a record of the folder itself, or what went there
    for path in paths:
        try:
            games = games_told(str(path), strict)
            out = target / path.relative_to(source).with_suffix(suffix)
            parts = [games] if SUFFIXES[suffix].several else [[game] for game in games]
            outs = [out if len(parts) == 1 else out.with_stem(f"{out.stem}-{number}")
                    for number, _part in enumerate(parts, 1)]
            for one in outs:
                if (other := takes.get(_place(one), path)) != path:
                    raise UserError("{file} is left out: {path}, which it would become, is taken by {other}; convert "
                                    "it by itself, into another file", file=path, path=one, other=other)
            for one, part in zip(outs, parts, strict=True):
                require_new(one, force)
                write_file(one, _made(part, one, strict))
                takes[_place(one)] = path
            done += 1
        except UserError as fault:
            failed += 1
            click.echo(reason(fault), err=True)
        except OSError as fault:
            failed += 1
            click.echo(f"{one_line(path)}: {reason(fault)}", err=True)
    click.echo(_("files converted: {done}; left out: {failed}", done=done, failed=failed), err=True)
    if failed:
        sys.exit(1)


def _place(path: Path) -> str:
    """A key that is equal for all names of one file, also where file systems ignore case."""
    return str(path.resolve()).casefold()


def _made(games: Sequence[GameRecord], path: Path, strict: bool, name: str = "") -> bytes:
    """The bytes of a file of this name (shown to people as `name`). Parts of the games that it does not keep are named
    on stderr, or with `strict` refused."""
    data, lost = written(path, games, strict)
    if lost:
        click.echo(lost_told(name or path, lost), err=True)
    return data
