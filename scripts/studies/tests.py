"""Makes the folder of the tests the package `tests` for what is run from here, as ../scripts.py does for `scripts`."""
from pathlib import Path

__path__ = [str(Path(__file__).parents[2] / "tests")]
