"""The guard of the server: only pages that it served itself, at the address with its token, may talk to it."""
import os
import socket
from collections.abc import Collection
from secrets import compare_digest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = "127.0.0.1"

# The page's own files alone; no page of another may frame it, and its address, which has the token, goes nowhere.
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
                               "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
}
_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
SAFE = ("GET", "HEAD")      # they change nothing, and a browser sends them without an Origin
FORBIDDEN = 403


def listening(port: int) -> socket.socket:
    """A listening socket on the loopback address; port 0 means any free port. Raises OSError."""
    found = socket.socket()
    if os.name == "posix":      # elsewhere it lets two programs share a port
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((LOOPBACK, port))
        found.listen()
    except OSError:
        found.close()
        raise
    return found


class RequestGuard:
    """An ASGI application in front of another. It passes on requests that may be answered, with the token taken off
    their paths; all others get a bare 403.

    Host must name this server: a page whose own name was made to point here (DNS rebinding) has its name there. Origin
    must be this server's: a page of another origin cannot change that. The token keeps out other users of this machine,
    who could send any header.
    """

    def __init__(self, app: "ASGIApp", token: str, hosts: Collection[str]) -> None:
        self._app = app
        self._token = token
        self._hosts = frozenset(hosts)
        self._origins = frozenset(f"http://{host}" for host in hosts)

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if not self._is_welcome(scope):
            await _refuse(scope, receive, send)
            return

        async def send_with_headers(message: "Message") -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *_HEADERS]
            await send(message)

        path = scope["path"].removeprefix(f"/{self._token}")
        await self._app({**scope, "path": path, "raw_path": path.encode()}, receive, send_with_headers)

    def _is_welcome(self, scope: "Scope") -> bool:
        headers: dict[bytes, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.lower(), []).append(value.decode("latin-1"))
        hosts, origins = headers.get(b"host", []), headers.get(b"origin", [])
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return False
        needs_origin = scope["type"] == "websocket" or scope["method"] not in SAFE
        if len(origins) != 1 if needs_origin else len(origins) > 1:
            return False
        if any(origin not in self._origins for origin in origins):
            return False
        if any(site not in ("same-origin", "none") for site in headers.get(b"sec-fetch-site", [])):
            return False
        given = scope["path"].split("/")
        return len(given) > 2 and compare_digest(given[1].encode(), self._token.encode())


async def _refuse(scope: "Scope", receive: "Receive", send: "Send") -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
        return
    await send({"type": "http.response.start", "status": FORBIDDEN, "headers": [(b"content-length", b"0"), *_HEADERS]})
    await send({"type": "http.response.body", "body": b""})
