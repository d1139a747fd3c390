"""The GUI's side of USI: a client that runs engines as processes."""
from usi.client.client import (
    Answer,
    EngineGone,
    EngineSilent,
    ProtocolError,
    TimedLine,
    UsiClient,
    UsiFault,
    signal_name,
)

__all__ = [
    "Answer",
    "EngineGone",
    "EngineSilent",
    "ProtocolError",
    "TimedLine",
    "UsiClient",
    "UsiFault",
    "signal_name",
]
