"""`python -m usi` is the console command `engine`."""
import sys
from pathlib import Path

# Python looks in the working folder first, where a user's engine.py would hide our package.
if not getattr(sys.flags, "safe_path", False) and Path(sys.path[0]).resolve() != Path(__file__).resolve().parents[1]:
    del sys.path[0]

from usi.cli import main

main()
