"""The tools that develop the engine. Each command is a module here, run as `python -m scripts.NAME`."""
import sys

from usi.console.interrupts import end_at_interrupts

if sys.argv[0] == "-m":     # the modules of a command are imported next; it says what else is to be done at Ctrl-C
    end_at_interrupts()
