"""The command `engine completion`."""
import click
from click.shell_completion import get_completion_class

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
