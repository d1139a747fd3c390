"""A game of `engine play` is saved whatever ends it: signals, a closed window, kill -9. The flag falls while nobody
types."""
import os
import pty
import re
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from engine.records.files import read_record
from engine.records.record import GameRecord
from tests.each import each
from tests.usi.commands.running import invoke
from tests.usi.conftest import ENGINE, PATIENCE_S
from usi.commands.play import table
from usi.commands.play.signals import Signals, TimeIsUp, alarm
from usi.commands.records import write_new_game

PAIRS = [(first, second) for first in ("SIGHUP", "SIGTERM", "SIGINT") for second in ("SIGHUP", "SIGTERM", "SIGINT")]
QUICK = ("--hash", "1", "--eval-file", "material")

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="needs POSIX's signals")


class Window:
    """A terminal with a game in it."""

    def __init__(self, *options: object) -> None:
        self._heard = b""
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen([*ENGINE, "play", *QUICK, *map(str, options)], stdin=slave, stdout=slave,
                                        stderr=slave, start_new_session=True,
                                        env={**os.environ, "TERM": "dumb", "LC_ALL": "C.UTF-8"})
        os.close(slave)

    def read_until(self, text: str) -> str:
        """The output up to this text."""
        while text.encode() not in self._heard:
            assert select.select([self.master], [], [], PATIENCE_S)[0], self._heard
            self._heard += os.read(self.master, 1 << 16)
        shown, _, self._heard = self._heard.partition(text.encode())
        return shown.decode() + text

    def type(self, line: str) -> None:
        os.write(self.master, line.encode() + b"\n")

    def end(self) -> int:
        """The exit status. The rest of the output is read, so that the program does not wait for us."""
        with suppress(OSError):     # once nobody has the other end open
            while select.select([self.master], [], [], PATIENCE_S)[0] and os.read(self.master, 1 << 16):
                pass
        return self.process.wait(PATIENCE_S)


@contextmanager
def window(*options: object) -> Iterator[Window]:
    opened = Window(*options)
    try:
        yield opened
    finally:
        opened.process.kill()
        opened.process.wait()
        os.close(opened.master)


def test_each_signal_at_each_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two signals, one inside and one right after each call that saves a game, in this process."""
    for pair in PAIRS:
        for place in ("write_new_game", "write_game", "show"):
            saved = tmp_path / f"{'-'.join(pair)}-{place}.kifu"
            ordinary = getattr(table, place)

            def signalled(*arguments: Any, ordinary: Any = ordinary, pair: tuple[str, str] = pair) -> Any:
                signal.raise_signal(getattr(signal, pair[0]))
                done = ordinary(*arguments)
                signal.raise_signal(getattr(signal, pair[1]))
                return done

            with monkeypatch.context() as patch:
                patch.setattr(table, place, signalled)
                options = ("--depth", 1, *QUICK, "--save", saved)
                try:
                    invoke("play", *options, given="7g7f\nquit\n", status=128 + getattr(signal, pair[0]))
                except AssertionError:      # the second is the stronger one
                    assert pair[0] == "SIGINT"
            assert saved.exists(), (pair, place)
            assert read_record(saved).moves[:1] in (["7g7f"], []), (pair, place)


def test_kill_loses_at_most_the_move_that_is_typed(tmp_path: Path) -> None:
    saved = tmp_path / "game.kifu"
    with window("--depth", 1, "--save", saved) as played:
        played.read_until("move 1 [")
        for number, move in ((3, "7g7f"), (5, "2g2f")):
            played.type(move)
            played.read_until(f"move {number} [")
        played.process.kill()
        played.process.wait()
        moves = read_record(saved).moves
    assert (moves[0], moves[2], len(moves)) == ("7g7f", "2g2f", 4)


def test_ctrl_c_and_ctrl_d_at_the_prompt_ask_as_quit_does(tmp_path: Path) -> None:
    for number in range(2):
        saved = tmp_path / f"{number}.kifu"
        with window("--depth", 1) as played:
            played.read_until("move 1 [")
            played.type("7g7f")
            played.read_until("move 3 [")
            if number:
                os.write(played.master, b"\x04")
            else:
                played.process.send_signal(signal.SIGINT)
            played.read_until("Save the game as")
            played.type(str(saved))
            played.read_until("saved to")
            assert played.end() == (130, 0)[number]
        assert read_record(saved).moves[0] == "7g7f"


@each(("name", "options"), [("SIGHUP", ("--depth", 1)), ("SIGTERM", ("--movetime", 10_000_000))])
def test_a_signal_saves_where_the_game_was_saved_before(tmp_path: Path, name: str, options: tuple[object, ...]) -> None:
    """When the window is closed at the prompt, and while the engine thinks."""
    saved = tmp_path / f"{name}.kifu"
    at_the_prompt = name == "SIGHUP"
    with window(*options) as played:
        played.read_until("move 1 [")
        played.type(f"save {saved}")
        played.read_until("saved to")
        played.type("7g7f")
        if at_the_prompt:
            played.read_until("move 3 [")
        else:
            time.sleep(0.5)     # for the move to be read; the game is saved at whatever moment the signal comes
        played.process.send_signal(getattr(signal, name))
        assert played.end() == 128 + getattr(signal, name)
    record = read_record(saved)
    assert record.moves[:1] == ["7g7f"] or not at_the_prompt
    assert len(record.moves) == 2 or not at_the_prompt
    assert record.headers["START_TIME"].startswith("20")


def test_the_flag_falls_while_nothing_is_typed(tmp_path: Path) -> None:
    saved = tmp_path / "game.kifu"
    with window("--byoyomi", "0.2", "--movetime", "10", "--save", saved) as played:
        shown = played.read_until("Black has run out of time. Gakushi wins.")
        assert "move 1 [you 0:00 + 0.2 s" in shown
        played.read_until("move 1 [")
        assert read_record(saved).terminal == "TIME_UP"
        played.type("7g7f")
        played.read_until("the game is over: undo, save FILE or quit")
        played.type("quit")
        assert played.end() == 0


# -- The parts of usi/commands/play/signals.py, without a game ---------------------------------------------------------

@each(("first", "second", "raised"), [
    ("SIGINT", "SIGTERM", SystemExit), ("SIGTERM", "SIGINT", SystemExit), ("SIGINT", "SIGINT", KeyboardInterrupt)])
def test_held_signals_are_raised_at_the_end_of_the_block(first: str, second: str, raised: type[BaseException]) -> None:
    signals, done = Signals(), []

    def change() -> None:
        with signals.held():
            with signals.held():
                signal.raise_signal(getattr(signal, first))
                signal.raise_signal(getattr(signal, second))
            done.append("whole")

    with signals.heard():
        with pytest.raises(raised):
            change()
        signal.raise_signal(signal.SIGTERM)         # it is deaf by now
        with pytest.raises(KeyboardInterrupt), signals.heard_again():
            signal.raise_signal(signal.SIGINT)
    assert done == ["whole"]


def test_signals_that_are_ignored_stay_so() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Signals().heard():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_an_alarm_rings_once_and_only_in_its_block() -> None:
    with pytest.raises(TimeIsUp), alarm(0.01):
        time.sleep(PATIENCE_S)
    with alarm(100), alarm(None):
        pass
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_a_save_that_fails_is_said_at_once_and_asked_for_in_the_end(tmp_path: Path,
                                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    full, other = tmp_path / "full.kifu", tmp_path / "other.kifu"
    write = write_new_game

    def write_elsewhere(record: GameRecord, path: Path) -> Path:
        if path == full:
            raise OSError(28, "No space left on device", str(path))
        return write(record, path)

    monkeypatch.setattr(table, "write_new_game", write_elsewhere)
    options = ("--depth", 1, *QUICK, "--save", full)
    output = invoke("play", *options, given=f"7g7f\nquit\n{other}\n").output
    assert len(re.findall(rf"not saved: '{full}': there is no room left on the disk", output)) == 3
    assert len(read_record(other).moves) == 2
    invoke("play", *options, given="7g7f\nquit\n\n", status=1)
