"""The guard lets in the server's own pages in a browser that has the address, and nobody else."""
import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import monotonic

import pytest
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, RejectConnection, Request, TextMessage

from tests.browser import NEEDS_CHROMIUM, Browser
from tests.each import each
from tests.usi.serve.serving import TOKEN, Served, begin, serving, wait_for_turn
from usi.serve.server import MOST_MESSAGE_BYTES


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("served")) as found:
        yield found


def asked(served: Served, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """The answer to a request with these headers, `Host` being the server's unless another is given."""
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in ({"Host": f"127.0.0.1:{served.port}"} | headers).items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body


def test_its_pages_say_who_may_do_what(served: Served) -> None:
    status, headers, body = asked(served, f"/{TOKEN}/")
    assert status == 200
    assert b"<script defer" in body
    assert b"style=" not in body
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert asked(served, f"/{TOKEN}/", Host=f"localhost:{served.port}")[0] == 200


@each(("path", "headers"), [
    ("/", {}), ("/wrong/", {}), (f"/{TOKEN}", {}), (f"/{TOKEN[:-1]}/", {}), (f"//{TOKEN}/", {}),
    (f"/{TOKEN}/", {"Host": "evil.example"}), (f"/{TOKEN}/", {"Host": "127.0.0.1"}),
    (f"/{TOKEN}/", {"Host": "127.0.0.1:1"}), (f"/{TOKEN}/", {"Host": ""}),
    (f"/{TOKEN}/", {"Origin": "http://evil.example"}), (f"/{TOKEN}/", {"Origin": "null"}),
    (f"/{TOKEN}/page.js", {"Sec_Fetch_Site": "cross-site"}), (f"/{TOKEN}/page.js", {"Sec_Fetch_Site": "same-site"}),
])
def test_a_request_from_elsewhere_gets_nothing(served: Served, path: str, headers: dict[str, str]) -> None:
    status, _headers, body = asked(served, path, **headers)
    assert (status, body) == (403, b"")


@each("path", ["/../guard.py", "/%2e%2e/guard.py", "/data/play.html", "/play.html", "/page.css/", "/..%2f..%2fcli.py"])
def test_no_other_file_is_served(served: Served, path: str) -> None:
    status, _headers, body = asked(served, f"/{TOKEN}{path}")
    assert status in (403, 404)
    assert b"import" not in body


def test_nothing_is_changed_without_an_origin(served: Served) -> None:
    assert asked(served, f"/{TOKEN}/", "POST")[0] == 403
    assert asked(served, f"/{TOKEN}/", "POST", Origin=f"http://127.0.0.1:{served.port}")[0] == 405


@contextmanager
def connected(served: Served, **headers: str) -> Iterator["Line"]:
    with socket.create_connection(("127.0.0.1", served.port), 60) as connection:
        yield Line(connection, served, headers)


class Line:
    """A WebSocket of no browser."""

    def __init__(self, connection: socket.socket, served: Served, headers: dict[str, str]) -> None:
        self._socket, self._state = connection, WSConnection(ConnectionType.CLIENT)
        host = headers.pop("Host", f"127.0.0.1:{served.port}")
        connection.sendall(self._state.send(Request(
            host=host, target=f"/{TOKEN}/socket",
            extra_headers=[(name.encode(), value.encode()) for name, value in headers.items()])))
        self.is_open = isinstance(self.next(), AcceptConnection)

    def send(self, message: object) -> None:
        text = message if isinstance(message, str) else json.dumps(message)
        self._socket.sendall(self._state.send(TextMessage(data=text)))

    def next(self) -> object:
        """The next message; None at the end."""
        text = ""
        while True:
            for event in self._state.events():
                if isinstance(event, TextMessage):
                    text += event.data
                    if event.message_finished:
                        return json.loads(text)
                elif isinstance(event, AcceptConnection | RejectConnection | CloseConnection):
                    return event
            data = self._socket.recv(1 << 16)
            self._state.receive_data(data or None)
            if not data:
                return None


def own(served: Served) -> dict[str, str]:
    return {"Origin": f"http://127.0.0.1:{served.port}"}


def test_a_socket_needs_the_origin(served: Served) -> None:
    for headers in ({}, {"Origin": "http://evil.example"}, {"Origin": f"http://127.0.0.1:{served.port + 1}"},
                    {"Origin": "null"}, own(served) | {"Host": "evil.example"}):
        with connected(served, **headers) as line:
            assert not line.is_open, headers
    with connected(served, **own(served)) as line:
        assert line.is_open
        line.send({"do": "hello", "page": "play", "language": "en"})
        assert isinstance(found := line.next(), dict)
        assert found["event"] == "hello"


@each("message", ["", "null", "[]", "1", "{}", '{"do": 1}', '{"do": "nothing"}', '{"do": "move"}', '{"do": ["move"]}',
                  '{"do": "move", "game": "x", "ply": "1", "move": "7g7f"}', '{"do": "new", "level": 1e9}',
                  '{"do": "new", "level": true}', '{"do": "new", "more": 1}', "[" * 50_000,
                  "x" * (MOST_MESSAGE_BYTES + 1)])
def test_what_no_page_says_ends_the_connection(served: Served, message: str) -> None:
    with connected(served, **own(served)) as line:
        line.send(message)
        while isinstance(found := line.next(), dict):
            assert found["event"] == "hello"
    with connected(served, **own(served)) as line:      # and the server lives
        assert line.is_open


@each("wanted", [{"level": 21}, {"level": -1}, {"color": "red"}, {"handicap": "百枚落ち"}, {"main": -1}, {"main": 1e9},
                 {"main": float("nan")}, {"byoyomi": float("inf")}, {"sfen": "x"}, {"moves": ["7g7a"]},
                 {"moves": ["7g7f"] * 2001}])
def test_a_game_that_cannot_be_is_refused_in_words(served: Served, wanted: dict[str, object]) -> None:
    with connected(served, **own(served)) as line:
        line.send({"do": "hello", "page": "none", "language": "ja"})
        line.send({"do": "new", **wanted})
        line.next()
        found = line.next()
        assert isinstance(found, dict)
        assert found["event"] == "error"
        assert found["text"]
        assert served.service.game is None


class _Hostile(BaseHTTPRequestHandler):
    """A page of somebody else's, who even knows the address. Chromium keeps connections open without a request, so each
    needs a thread."""

    page = ""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.page.encode())

    def log_message(self, *_arguments: object) -> None:
        pass


@NEEDS_CHROMIUM
def test_a_hostile_page_of_another_origin(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as served, ThreadingHTTPServer(("127.0.0.1", 0), _Hostile) as elsewhere:
        browser.open(served.address)
        begin(browser, level=0)
        _Hostile.page = f"""<iframe src="{served.address}"></iframe><script>
            const tried = [], address = {json.dumps(served.address)};
            const note = (what, outcome) => tried.push(what + ": " + outcome);
            for (const method of ["GET", "POST"])
                fetch(address, {{method}}).then(() => note(method, "read"), () => note(method, "refused"));
            fetch(address + "page.js", {{mode: "no-cors"}}).then(
                async found => note("no-cors", (await found.text()).length), () => note("no-cors", "refused"));
            const socket = new WebSocket(address.replace("http", "ws") + "socket");
            socket.onopen = () => {{ socket.send('{{"do": "new"}}'); note("socket", "open"); }};
            socket.onerror = () => note("socket", "refused");
            Object.assign(document.createElement("script"), {{src: address + "page.js"}});
            const script = document.createElement("script");
            script.onload = () => note("script", "run");
            script.onerror = () => note("script", "refused");
            script.src = address + "page.js";
            document.head.append(script);
        </script>"""
        thread = threading.Thread(target=elsewhere.serve_forever)
        thread.start()
        try:
            game = served.service.game
            assert game
            browser.open(f"http://127.0.0.1:{elsewhere.server_port}/")
            browser.until("tried.length === 5")
            assert sorted(browser.see("tried")) == ["GET: refused", "POST: refused", "no-cors: refused",
                                                    "script: refused", "socket: refused"]
            assert browser.see("frames[0].length") == 0
            assert served.service.game is game
        finally:
            elsewhere.shutdown()
            thread.join()
        browser.open(served.address)
        wait_for_turn(browser)


def test_tabs_that_are_too_many_are_turned_away(served: Served) -> None:
    from contextlib import ExitStack

    from usi.serve.server import MOST_TABS

    with ExitStack() as stack:
        began = monotonic()
        lines = [stack.enter_context(connected(served, **own(served))) for _number in range(MOST_TABS)]
        assert all(line.is_open for line in lines)
        assert not stack.enter_context(connected(served, **own(served))).is_open
        assert monotonic() > began
