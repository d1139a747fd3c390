"""Hash statistics: how evenly keys spread over the table. Nothing that plays imports it."""
from engine.system.cpu import chosen

__path__ = chosen(__path__)

from tt.statistics.counts import HashStatistics
from tt.statistics.quality import CASES, Quality

__all__ = ["CASES", "HashStatistics", "Quality"]
