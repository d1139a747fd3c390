"""The options of commands whose work may be done by many."""
import argparse


def add_options(parser: argparse.ArgumentParser, jobs: int = 1, option: str = "--jobs") -> None:
    """Those that say who plays: so many processes here, or the workers of a scheduler."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(option, type=int, default=jobs, help=f"games played at the same time ({jobs})")
    group.add_argument("--scheduler", metavar="ADDRESS", help="let the workers of this Dask scheduler play instead "
                       "(tcp://HOST:PORT, docs/MATCHES.md)")
