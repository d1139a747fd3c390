"""Servers in this process, and a person's actions on their pages."""
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from engine import Position
from eval.loading import load_evaluator
from search import Searcher
from search.mate import MateSolver
from tests.browser import Browser
from tests.processes import SECONDS
from usi.serve.desk import Desk, Engine
from usi.serve.guard import listening
from usi.serve.memory import Memory
from usi.serve.server import server
from usi.serve.service import Service

TOKEN = "secret"


@dataclass
class Served:
    """A server that runs."""

    address: str            # of its page, with the token
    port: int
    service: Service
    folder: Path            # of records and games


def small_engine() -> Engine:
    evaluator = load_evaluator(None)
    return Engine(Searcher(1, evaluator=evaluator), Searcher(16, evaluator=evaluator), MateSolver(8))


@contextmanager
def serving(folder: Path, pace_ms: int = 0) -> Iterator[Served]:
    """Run a server during the block, whose engine answers at once. It keeps what it has to in `folder`/memory, and
    games in `folder`/games."""
    games = folder / "games"
    games.mkdir(exist_ok=True)
    service = Service(small_engine, Memory(folder / "memory"), games, "test", pace_ms)
    at = listening(0)
    runs = server(service, TOKEN, at)
    thread = Thread(target=runs.run, args=([at],))
    thread.start()
    try:
        wait_until(lambda: runs.started)
        port = at.getsockname()[1]
        yield Served(f"http://127.0.0.1:{port}/{TOKEN}/", port, service, games)
    finally:
        runs.should_exit = True
        thread.join(SECONDS)
        at.close()


def begin(browser: Browser, color: str = "black", preset: int = 0, **wanted: object) -> None:
    """Begin a game on the page by its form: a side, one of the clocks offered, and values of other fields."""
    browser.until("document.querySelector('#handicap option') && (document.querySelector('#setup').open"
                  " || document.querySelector('#bottom .clock').innerText)")
    if not browser.see("document.querySelector('#setup').open"):
        browser.click("#another")
    browser.click(f"[name=color][value={color}] + span")
    for name, value in {"preset": preset, **wanted}.items():
        browser.see(f"""(field => {{
            field.value = {value!r};
            field.dispatchEvent(new Event("input"));
            field.dispatchEvent(new Event("change"));
        }})(document.querySelector("#{name}"))""")
    press_start(browser)


def press_start(browser: Browser) -> None:
    """Begin the game that the form asks for, and wait for the person's first turn."""
    before = browser.see("page.game && page.game.id")
    browser.click("#start")
    browser.until(f"page.game.id && page.game.id !== {json.dumps(before)}")
    wait_for_turn(browser)


STATUS = "document.querySelector('#status').innerText"
PLAYED = "document.querySelectorAll('#moves button').length"


def is_busy(desk: Desk) -> bool:
    """Whether a search has the engine."""
    return desk._holder is not None


def wait_until(condition: Callable[[], object]) -> None:
    """Wait for what the server learns of after the page has shown it."""
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(.01)


def wait_for_turn(browser: Browser, plies: int = 0) -> None:
    """Wait until it is the person's turn after at least `plies` moves, or the game is over."""
    browser.until(f"{PLAYED} >= {plies} && (/Your move|あなたの番/.test({STATUS})"
                  " || document.querySelector('#status.over'))")


def make_move(press: Callable[..., None], browser: Browser, move: str, flipped: bool = False) -> None:
    """Play a move on the board by `press`, which clicks or taps."""
    def square(name: str) -> None:
        file, rank = 9 - int(name[0]), "abcdefghi".index(name[1])
        if flipped:
            file, rank = 8 - file, 8 - rank
        press("#board", (8 + 40 * (file + .5)) / 388, (60 + 44 * (rank + .5)) / 508)

    if move[1] == "*":
        piece = move[0].lower() if flipped else move[0]
        press(f'#board [data-hand="{int(flipped)}"][data-piece="{piece}"]')
    else:
        square(move[:2])
    square(move[2:4])
    if browser.is_visible("#promotion"):
        press("#promote" if move.endswith("+") else "#stay")


def sfen_of(browser: Browser) -> str:
    """The position on the board, without its number."""
    return str(browser.see("formatSfen(page.positions.at(-1))"))


def position_of(browser: Browser) -> Position:
    return Position(sfen_of(browser) + " 1")
