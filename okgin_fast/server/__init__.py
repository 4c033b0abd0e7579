"""The engine process: answers the protocol's requests for any number of clients.

=============  ==================================================================
`serve_stdio`  one client, on standard input and output
`serve_tcp`    any number of clients, by TCP
`Pool`         the threads that think for them, and what waits for them
=============  ==================================================================

A server keeps nothing of a client but the matches that it has opened. What it is told of a deal is
what one seat may know; the only exception is the analysis of a record, which shows all cards.
"""

from okgin_fast.server.pool import Pool
from okgin_fast.server.transport import serve_stdio, serve_tcp

__all__ = ["Pool", "serve_stdio", "serve_tcp"]
