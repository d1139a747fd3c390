"""What `engine` does without a command: speak USI."""
import os
import signal
import sys

import click

from engine.system.cpu import VERSION
from engine.system.memory import addressable_megabytes
from usi.session.session import Session
from usi.session.wire import Wire, lines_of
from usi.words.language import _


@click.command()
def usi() -> None:
    """Speak USI until `quit` or the end of the input."""
    if sys.stdin is None or sys.stdout is None:
        raise click.ClickException("USI needs standard input and output, and one of them is closed; open both")
    if sys.stdin.isatty() and sys.stderr and sys.stderr.isatty():
        click.echo(_("Gakushi {version} speaks USI, for GUIs. Type help to see what it understands, quit to leave.",
                     version=VERSION), err=True)
        click.echo(_("To play or analyse right here: engine play, engine analyze GAME, engine --help."), err=True)
    if addressable_megabytes() is not None:
        from tt.table import save_addresses

        save_addresses()
    wire = Wire(lines_of(sys.stdin.fileno(), sys.stdout.fileno()), sys.stdout, abandon=lambda: os._exit(0))
    signal.signal(signal.SIGINT, wire.interrupt)
    Session(wire).run()
    signal.signal(signal.SIGINT, signal.SIG_IGN)    # it ends already, and a second Ctrl-C must not change its status
