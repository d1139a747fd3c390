"""The command `engine serve`."""
import threading
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from secrets import token_urlsafe
from urllib.parse import quote

import click

from engine.errors import UserError, telling
from usi.console.options import options_of
from usi.console.settings import MEGABYTES, THREADS, WholeRange, evaluation_setting, setting
from usi.words.extras import how_to_install
from usi.words.language import _

PORT = 48100            # unless it is taken


@dataclass(frozen=True)
class Serving:
    """The options of the server: its port, and its engine."""

    port: int | None = setting("The port on 127.0.0.1 [default: 48100, or a free one if that is taken].",
                               WholeRange(0, 65535), None)
    no_browser: bool = setting("Only print the address.", None, False)
    threads: int = setting("Search threads.", THREADS, 1)
    hash_mb: int = setting("Memory of the transposition table for analysis.", MEGABYTES, 256, "--hash")
    evaluation: str | None = evaluation_setting()


@click.command(short_help="Play, analyse and learn on a board in the browser.")
@click.argument("source", required=False, metavar="[RECORD|FOLDER]", type=click.Path(exists=True, path_type=Path))
@options_of(Serving, "serving")
def serve(source: Path | None, serving: Serving) -> None:
    """Play, analyse and learn on a board in the browser.

    Starts a server for this machine alone, prints the address of its page, and opens the browser there. The address has
    a password of its own each time; nobody without it gets in.

    A RECORD is opened for analysis. In a FOLDER the page finds records, and saves games there; without one, games go to
    a folder of Gakushi's own, which the page names. The game under way is saved after every move and is there again
    the next time. Ctrl-C ends the server.

    Exit codes: 0 ended by Ctrl-C; 1 RECORD cannot be read, the port is taken, or another server is running; 2 wrong
    usage.
    """
    if not all(map(find_spec, ("starlette", "uvicorn", "wsproto"))):
        raise UserError("the board in the browser needs Starlette and uvicorn: {how}", how=how_to_install("web"))
    from eval.loading import weights_checksum
    from usi.commands.records import find_games
    from usi.files.reading import read_text_file
    from usi.serve.guard import listening
    from usi.serve.memory import Memory, data_folder

    record = source if source and not source.is_dir() else None
    if record:
        with telling(record):
            find_games(read_text_file(record), strict=False)
    memory = Memory(data_folder() / "serve")
    folder = record.parent if record else source or data_folder() / "games"
    with memory.held():
        try:
            at = listening(PORT if serving.port is None else serving.port)
        except OSError:
            if serving.port is not None:
                raise
            at = listening(0)
        token = token_urlsafe(24)
        address = f"http://127.0.0.1:{at.getsockname()[1]}/{token}/"
        if record:
            address += f"analyse?file={quote(record.name)}"
        memory.write("address", {"address": address})
        checksum = weights_checksum(serving.evaluation)
        click.echo(_("The board is at {address} (Ctrl-C ends it)", address=address))
        if not serving.no_browser:
            threading.Thread(target=_open_browser, args=(address,), daemon=True).start()
        try:
            # These take most of the start. Meanwhile the browser starts, too; its requests wait.
            from usi.serve.server import server
            from usi.serve.service import Service

            service = Service(lambda: _engine(serving), memory, folder, checksum, named=record.name if record else "")
            server(service, token, at).run(sockets=[at])
        except KeyboardInterrupt:
            click.echo()


def _open_browser(address: str) -> None:
    import webbrowser

    webbrowser.open(address)


def _engine(serving: Serving):      # type: ignore[no-untyped-def]
    from eval.loading import load_evaluator
    from search.mate import MateSolver
    from usi.console.terminal import make_searcher
    from usi.serve.desk import Engine

    evaluator = load_evaluator(serving.evaluation)
    return Engine(make_searcher(64, serving.threads, evaluator),
                  make_searcher(serving.hash_mb, serving.threads, evaluator), MateSolver(64))
