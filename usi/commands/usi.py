"""Commands for other programs: USI for a GUI, completion for a shell."""
import os
import signal
import sys

import click
from click.shell_completion import get_completion_class

from engine.errors import UserError
from engine.system.cpu import VERSION
from usi.session.session import Session
from usi.session.wire import Wire, lines_of
from usi.words.language import _


@click.command()
def usi() -> None:
    """Speak USI until `quit` or the end of the input."""
    if sys.__stdin__ is None or sys.__stdout__ is None:     # see `guarded_streams`
        raise UserError("USI needs standard input and output, and one of them is closed; open both")
    if sys.stdin.isatty() and sys.stderr.isatty():
        click.echo(_("Gakushi {version} speaks USI, for GUIs. Type help to see what it understands, quit to leave.",
                     version=VERSION), err=True)
        click.echo(_("To play or analyse right here: engine play, engine analyze GAME, engine --help."), err=True)
    wire = Wire(lines_of(sys.stdin.fileno(), sys.stdout.fileno()), sys.stdout, abandon=lambda: os._exit(0))
    signal.signal(signal.SIGINT, wire.interrupt)
    Session(wire).run()
    signal.signal(signal.SIGINT, signal.SIG_IGN)    # it ends already, and a second Ctrl-C must not change its status


VARIABLE = "_ENGINE_COMPLETE"       # by which click is asked, when the shell completes


@click.command(short_help="Print a script for completion in the shell.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a script with which the shell completes commands, options and files of `engine`.

    To install it for yourself, run once

    \b
      bash:  engine completion bash >> ~/.bashrc
      zsh:   engine completion zsh >> ~/.zshrc
             (after the line with compinit; or first add: autoload -U compinit; compinit)
      fish:  engine completion fish > ~/.config/fish/completions/engine.fish

    and open a new shell. Bash has to be 4.4 or newer.
    """
    complete = get_completion_class(shell)
    assert complete     # of each shell that may be given
    click.echo(complete(context.find_root().command, {}, "engine", VARIABLE).source())
