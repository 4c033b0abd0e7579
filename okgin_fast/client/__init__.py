"""The engine process from Python: `Engine` waits for answers, `AsyncEngine` is for asyncio.

Both speak the protocol of `okgin serve` (docs/protocol.md), to a process of their own or to a
server that listens. What a message looks like is the protocol's business, how it is answered the
server's.

| module         | what lives there |
|----------------|------------------|
| `async_engine` | `AsyncEngine`: who asks, waits and gives up |
| `engine`       | `Engine`: the same for those who do not use asyncio |
| `values`       | positions, limits and advice, as messages and back |
"""

from okgin_fast.client.async_engine import AsyncEngine, EngineTerminatedError
from okgin_fast.client.engine import Engine
from okgin_fast.client.values import Position
from okgin_fast.protocol import ProtocolError

__all__ = ["AsyncEngine", "Engine", "EngineTerminatedError", "Position", "ProtocolError"]
