"""Numbers that the options of commands take: each has a range, and what lies outside of it ends the command with one
line."""
import math
from typing import Any

import click

from engine import MAX_PLY
from search.limits import UNBOUNDED


class Real(click.FloatRange):
    """A number in its range, which NaN, being neither too small nor too large, and infinity are not in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not in the range {self._describe_range()}.", param, ctx)
        return number


COUNT = click.IntRange(1, 10**9)            # of games, positions, files
AMOUNT = click.IntRange(1, UNBOUNDED)       # of nodes, or milliseconds
DEPTH = click.IntRange(1, MAX_PLY - 1)
THREADS = click.IntRange(1, 512)
MEGABYTES = click.IntRange(1, 2**20)
CENTIPAWNS = click.IntRange(0, 10**6)
SEED = click.IntRange(0, 2**63 - 1)
SHARE = Real(0, 1)
PART = Real(0, 1, min_open=True, max_open=True)
HELD_OUT = Real(0, 1, max_open=True)
ELO = Real(-10_000, 10_000)
