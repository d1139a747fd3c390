"""What `engine` does without a command: speak USI."""
import signal
import sys

import click

from usi.session import Session
from usi.wire import Wire, lines_of


@click.command()
def usi() -> None:
    """Speak USI until `quit` or the end of the input."""
    if sys.stdin is None or sys.stdout is None:
        raise click.ClickException("USI needs standard input and output, and one of them is closed; open both")
    wire = Wire(lines_of(sys.stdin.fileno()), sys.stdout)
    signal.signal(signal.SIGINT, wire.interrupt)
    Session(wire).run()
    signal.signal(signal.SIGINT, signal.SIG_IGN)    # it ends already, and a second Ctrl-C must not change its status
