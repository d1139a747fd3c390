"""What tells one version of these scripts and of the search from another."""
from functools import cache
from hashlib import sha256
from pathlib import Path

from eval.loading import load_evaluator
from search import Limits, Searcher
from usi.bench import measure, positions

VERSION_NODES = 500     # of each search that tells one version from another

# Of the modules as they are loaded, and not as they may have become while a worker was running.
_SCRIPTS = sha256(b"".join(path.read_bytes() for path in sorted(Path(__file__).parents[1].rglob("*.py")))).hexdigest()


def fingerprint(searcher: Searcher, nodes: int) -> str:
    """Of what it finds, with one thread, in a fixed set of small searches: it changes with search and evaluation."""
    found = [measure(searcher, sfen, Limits(nodes=nodes)) for sfen in positions()]
    text = repr([(each.bestmove, each.score, each.depth, each.nodes) for each in found])
    return sha256(text.encode()).hexdigest()[:16]


@cache
def version() -> str:
    """Of all that decides what a worker does: these scripts, and what the search finds by the packaged weights."""
    return f"{_SCRIPTS[:16]}-{fingerprint(Searcher(16, 1, evaluator=load_evaluator(None)), VERSION_NODES)}"
