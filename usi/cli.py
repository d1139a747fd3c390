"""The console command `engine`: the group of its commands. Alone it speaks USI, so that a GUI can be pointed at it."""
import sys

from usi.console.interrupts import ended_at_interrupts

with ended_at_interrupts():
    from importlib import import_module
    from typing import Any

    import click

    from usi.console.installation import faults

    try:
        import engine  # noqa: F401 - it checks the processor
        from engine.errors import Phrase
        from engine.system.concurrency import save_addresses
        from usi.commands.help import in_readers_language
        from usi.console.errors import ending_in_words, explaining_imports
        from usi.console.streams import guarded_streams
        from usi.words.language import click_translated, translate
        from usi.words.typed import did_you_mean
    except Exception as error:
        fault = next(faults(), None)
        if fault is None and not isinstance(error, ImportError):
            raise
        sys.exit(f"engine cannot run here: {fault or error}")

# The module and function of each command by its name. They are imported when needed, because a GUI waits for `usiok`.
COMMANDS = {
    "analyze": "analyze.command:analyze",
    "bench": "bench.command:bench",
    "book": "book.command:book",
    "completion": "usi:completion",
    "convert": "convert:convert",
    "diagram": "explain.command:diagram",
    "doctor": "doctor:doctor",
    "eval": "explain.command:evaluate",
    "foldstats": "foldstats:foldstats",
    "mate": "mate:mate",
    "perft": "bench.command:perft",
    "play": "play.command:play",
    "serve": "usi.serve.command:serve",
    "ttstats": "ttstats.command:ttstats",
    "usi": "usi:usi",
}


class Commands(click.Group):
    """Imports a command when it is asked for, and says in words what ends it."""

    def main(self, *arguments: Any, **options: Any) -> Any:
        save_addresses()
        with guarded_streams(), click_translated(), ending_in_words(), explaining_imports():
            return click.Group.main(in_readers_language(self), *arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        with ending_in_words():     # click has a status of its own for Ctrl-C
            return super().invoke(ctx)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            fault = did_you_mean(Phrase("no command is called '{name}'", name=args[0]), args[0], COMMANDS)
            raise click.UsageError(fault.told(translate), ctx) from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, function = COMMANDS[cmd_name].split(":")
        command: click.Command = getattr(
            import_module(module if module.startswith("usi.") else f"usi.commands.{module}"), function)
        return in_readers_language(command)


def _show_version(context: click.Context, _parameter: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        from usi.commands.about import as_lines

        click.echo("\n".join(as_lines()))
        context.exit()


@click.group(cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version,
              help="Show the version, the build, the processor and the evaluation.")
@click.pass_context
def main(context: click.Context) -> None:
    """Gakushi, a shogi engine. Without a command it speaks USI on standard input and output, for a GUI.

    On a terminal, `engine play` plays a game, `engine analyze` reviews one, and `engine doctor` checks
    this machine.

    Exit codes: 0 success; 1 bad input or failure (the message says what), or a problem found by the doctor; 2 wrong
    usage; 130 Ctrl-C before the work was done.
    """
    if context.invoked_subcommand is None:
        from usi.commands.usi import usi

        context.invoke(usi)
