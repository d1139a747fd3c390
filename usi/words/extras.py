"""How to get what only some commands need."""
import sys

from engine.errors import Phrase


def how_to_install(extra: str) -> Phrase | str:
    """The command that installs an optional part of Gakushi, as "web", and where to use it if the program came as a
    folder with Python inside (scripts/bundle.py): nothing can be installed there.

    >>> how_to_install("web")
    'pip install "gakushi[web]"'
    """
    command = f'pip install "gakushi[{extra}]"'
    if getattr(sys, "frozen", False):
        return Phrase("this folder cannot be added to; install Python 3.11 or later, then run {command}, and use "
                      "that engine", command=command)
    return command
