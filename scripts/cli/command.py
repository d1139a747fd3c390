"""The form of all commands: the help is the module's docstring, a user's error is one line, and a long run may let all
other processes go first."""
import inspect
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from engine.errors import UserError
from engine.system.concurrency import save_addresses
from usi.console.errors import INTERRUPTED, ending_in_words
from usi.console.interrupts import raise_interrupts
from usi.console.streams import guarded_streams
from usi.words.language import click_translated

SETTINGS = {"help_option_names": ["-h", "--help"]}


def help_text(doc: str | None) -> str:
    """A docstring for click, with the line breaks kept where lines are indented (examples)."""
    paragraphs = re.split(r"\n\s*\n", inspect.cleandoc(doc or ""))
    return "\n\n".join(f"\b\n{each}" if re.search(r"^ ", each, re.MULTILINE) else each for each in paragraphs)


@contextmanager
def terminable() -> Iterator[None]:
    """Let SIGTERM end the command as Ctrl-C does during the block, so that a run is closed properly."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class EndingInWords(click.Command):
    """A command with the messages and exit codes of `engine` for errors of files, memory and standard output."""

    def main(self, *arguments: Any, **options: Any) -> Any:
        raise_interrupts()
        save_addresses()
        with guarded_streams(), click_translated(), ending_in_words():
            try:
                return super().main(*arguments, **options)
            finally:
                sys.stdout.flush()      # here, because an error as the process ends would show a traceback


class ToolGroup(EndingInWords, click.Group):
    pass


class ToolCommand(EndingInWords):
    """A command that turns UserError and OSError into a line on stderr and exit status 1, and Ctrl-C and SIGTERM into a
    line and `engine`'s status for them. Any other error keeps its traceback."""

    def __init__(self, *args: Any, resumes: str | bool = False, **settings: Any) -> None:
        """`resumes`: whether the command continues when it is run again, or the name of the option without which it
        does not."""
        super().__init__(*args, **settings)
        self._resumes = resumes

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. The error for a bad value is one line, without the usage."""
        try:
            return super().parse_args(ctx, args)
        except click.MissingParameter:
            raise
        except click.BadParameter as error:
            error.ctx = None
            raise

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with terminable():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo(f"\ninterrupted{self._prospect(ctx.params)}", err=True)
            ctx.exit(INTERRUPTED)

    def _prospect(self, given: dict[str, Any]) -> str:
        if isinstance(self._resumes, str) and not given[self._resumes]:
            return f"; without --{self._resumes} nothing is kept"
        return "; the same command continues" if self._resumes else ""


def command(doc: str | None, resumes: str | bool = False) -> Callable[[Callable[..., None]], ToolCommand]:
    """Make a command of a function. The module's docstring is its help; see ToolCommand for `resumes`."""
    return click.command(cls=ToolCommand, help=help_text(doc), resumes=resumes, context_settings=SETTINGS)


def group(doc: str | None) -> Callable[[Callable[..., None]], click.Group]:
    """Make a group of commands of a function, with the module's docstring as its help."""
    return click.group(cls=ToolGroup, help=help_text(doc), context_settings=SETTINGS)


def go_last() -> None:
    """Run this process, and its later child processes, at nice 19 and, where the system has them, in the idle classes
    of scheduling and I/O. Raises UserError on a system without nice.

    Linux with autogroups compares sessions, and processes only within a session. So the session itself gets nice 19 if
    this process leads it (setsid); otherwise a line on stderr asks to start the command by setsid.
    """
    if sys.platform == "win32":
        raise UserError("--background needs nice, which Windows does not have; leave it out")
    os.nice(19)
    if sys.platform == "linux":
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        _put_session_last()
        if shutil.which("ionice"):
            subprocess.run(["ionice", "--class", "idle", "--pid", str(os.getpid())], check=True)


def _put_session_last() -> None:
    enabled, own = Path("/proc/sys/kernel/sched_autogroup_enabled"), Path("/proc/self/autogroup")
    if not (enabled.exists() and own.exists() and int(enabled.read_text())):
        return
    if os.getsid(0) == os.getpid():
        own.write_text("19")
    else:
        print("--background: this system compares sessions, not processes; start it by setsid to let others go first",
              file=sys.stderr)
