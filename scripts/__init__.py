"""The tools that develop the engine. Each command is a module here, run as `python -m scripts.NAME`."""
import sys

from usi.console.interrupts import end_at_interrupts

if sys.argv[0] == "-m":     # a command's modules are imported next; later the command handles Ctrl-C itself
    end_at_interrupts()
