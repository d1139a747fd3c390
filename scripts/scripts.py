"""Makes this folder the package `scripts` for what is run from it, wherever the user is.

`python scripts/match.py` searches this folder for modules, not the one above it, so `import scripts` finds this file,
and `scripts.arena` is found in here by the path below. The same holds for the worker processes that a command spawns,
which inherit its search path, for Dask's workers, which are started with this folder on PYTHONPATH, and for pytest.
Nothing else of the checkout comes on the path: another build of the engine that is found first stays first.
"""
from pathlib import Path

__path__ = [str(Path(__file__).parent)]
