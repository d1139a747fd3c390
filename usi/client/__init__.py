"""The other side of USI: engines as processes, asked and heard."""
from usi.client.client import (
    Answer,
    EngineGone,
    EngineSilent,
    Line,
    ProtocolError,
    UsiClient,
    UsiFault,
    signal_name,
)

__all__ = [
    "Answer",
    "EngineGone",
    "EngineSilent",
    "Line",
    "ProtocolError",
    "UsiClient",
    "UsiFault",
    "signal_name",
]
