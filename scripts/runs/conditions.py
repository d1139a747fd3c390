"""Whether a run that continues from a file is the run that the file was begun by."""
import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any


class OtherRun(ValueError):
    """A file belongs to a run with other conditions."""


def require_same(path: Path, what: str, kept: Mapping[str, Any], wanted: Mapping[str, Any],
                 free: Collection[str] = (), remedy: str = "name another file, or delete it") -> None:
    """OtherRun, naming what differs, unless the conditions kept in the file are those wanted now; those that are
    `free` may change."""
    stored = json.loads(json.dumps(wanted))
    if differing := [name for name in stored if name not in free and kept.get(name) != stored[name]]:
        raise OtherRun(f"{path} holds {what} that differs in {', '.join(differing)}; {remedy}")
