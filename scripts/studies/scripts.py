"""Makes the folder above this one the package `scripts` for what is run from here, as its own scripts.py does."""
from pathlib import Path

__path__ = [str(Path(__file__).parents[1])]
