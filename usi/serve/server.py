"""The server of the board in the browser: its pages and files, and a WebSocket for each tab."""
import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Callable
from importlib.resources import files
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from engine.errors import UserError
from usi.pages.pages import packaged
from usi.serve.guard import LOOPBACK, RequestGuard
from usi.serve.service import Service
from usi.serve.tab import Tab
from usi.words.language import speaking, translate
from usi.words.reasons import reason

MOST_MESSAGE_BYTES = 1 << 18
MOST_TABS = 24
MOST_NAME = 200         # letters of a file's name
MOST_CONNECTIONS = 64
MOST_RECORD_BYTES = 8 << 20
PAGES = {"/": "play.html", "/analyse": "analyse.html", "/learn": "learn.html", "/mates": "mates.html"}
SHARED = ("page.css", "page.js", "moves.js", "board.js", "words.js", "graph.js", "own.js", "exercise.js", "game.js")
KINDS = {"css": "text/css", "js": "text/javascript", "html": "text/html"}


def served(name: str) -> str:
    """The text of one of the pages' files. A page may have a place for the game of `usi.pages`."""
    if name in SHARED:
        return packaged(name)
    text = files("usi.serve").joinpath(f"data/{name}").read_text(encoding="utf-8")
    return text.replace("%game.html%", packaged("game.html")) if name.endswith(".html") else text


def own_files() -> tuple[str, ...]:
    """The names of the files that only these pages have."""
    return tuple(sorted(each.name for each in files("usi.serve").joinpath("data").iterdir()
                        if each.name.endswith((".js", ".css"))))


def application(service: Service, token: str, port: int) -> RequestGuard:
    """The server's application, behind its guard."""
    tabs: set[Tab] = set()

    async def page(request: Request) -> Response:
        return Response(served(PAGES[request.scope["path"]]), media_type=KINDS["html"])

    async def open_record(request: Request) -> Response:
        """Parse a record that the page sends, and answer with its games."""
        with speaking("ja" if request.query_params.get("language") == "ja" else "en"):
            try:
                data = await _body(request, MOST_RECORD_BYTES)
                studies = service.collection.open(data, request.query_params.get("name", "")[:MOST_NAME])
            except (UserError, OSError) as error:
                return JSONResponse({"error": reason(error).told(translate)}, 400)
            return JSONResponse({"games": [study.title() for study in studies]})

    async def export(request: Request) -> Response:
        """A study as a file in a format, for the browser to save."""
        asked = request.query_params
        with speaking("ja" if asked.get("language") == "ja" else "en"):
            try:
                data, _lost = service.collection.written(service.collection.study(asked.get("study", "")),
                                                      asked.get("suffix", ""), "analysed" in asked)
            except (UserError, OSError) as error:
                return JSONResponse({"error": reason(error).told(translate)}, 400)
            return Response(data, media_type="application/octet-stream")

    def file(name: str) -> Callable[[Request], Any]:
        async def found(_request: Request) -> Response:
            return Response(served(name), media_type=KINDS[name.rpartition(".")[2]])
        return found

    async def talk(websocket: WebSocket) -> None:
        if len(tabs) >= MOST_TABS:
            await websocket.close(1013)
            return
        await websocket.accept()
        tab = Tab(service)
        tabs.add(tab)
        writer = asyncio.ensure_future(_write(websocket, tab))
        try:
            while True:
                tab.hear(json.loads(await websocket.receive_text()))
        except (WebSocketDisconnect, ValueError, RecursionError, KeyError):     # gone, or not one of our pages
            pass
        finally:
            tabs.discard(tab)
            writer.cancel()
            await tab.close()
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await websocket.close(1008)

    @contextlib.asynccontextmanager
    async def life(_app: Starlette) -> AsyncIterator[None]:
        service.open()
        yield
        await service.close()

    routes = [*(Route(path, page) for path in PAGES), WebSocketRoute("/socket", talk),
              Route("/open", open_record, methods=["POST"]), Route("/export", export, methods=["POST"]),
              *(Route(f"/{name}", file(name)) for name in (*SHARED, *own_files()))]
    app = Starlette(routes=routes, lifespan=life)
    app.router.redirect_slashes = False
    return RequestGuard(app, token, (f"{LOOPBACK}:{port}", f"localhost:{port}"))


async def _body(request: Request, most: int) -> bytes:
    """The body of a request. Raises UserError as soon as it exceeds `most` bytes."""
    data = bytearray()
    async for part in request.stream():
        data += part
        if len(data) > most:
            raise UserError("this has more than {count} MB, which no record has", count=most >> 20)
    return bytes(data)


async def _write(websocket: WebSocket, tab: Tab) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while True:
            await websocket.send_text(json.dumps(await tab.next_message(), ensure_ascii=False))


def server(service: Service, token: str, at: socket.socket) -> uvicorn.Server:
    """The server, for `run(sockets=[at])`."""
    app = application(service, token, at.getsockname()[1])
    return uvicorn.Server(uvicorn.Config(
        app, log_config=None, access_log=False, http="h11", ws="wsproto", loop="asyncio", lifespan="on",
        ws_max_size=MOST_MESSAGE_BYTES, ws_ping_interval=20, limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=1, server_header=False, date_header=False))
