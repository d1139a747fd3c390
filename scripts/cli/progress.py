"""The progress bar of the commands."""
import sys
from typing import Any

import click


def progress_bar(length: int, label: str, **settings: Any) -> Any:
    """click's progress bar on stderr, as a context manager; it shows nothing where stderr is no terminal."""
    return click.progressbar(length=length, label=label, file=sys.stderr, hidden=not sys.stderr.isatty(),
                             **{"show_pos": True, **settings})
