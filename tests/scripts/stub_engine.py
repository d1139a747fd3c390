"""A USI engine that misbehaves on demand: `stub_engine.py BEHAVIOUR`, or `serve` in a thread. It moves its rook to and
fro, from the start position, and misbehaves from its second move on."""
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import Protocol, TextIO


class Lines(Protocol):
    def readline(self) -> str: ...


CYCLE = ("2h3h", "8b7b", "3h2h", "7b8b")
MANY = 4000     # lines: more than a pipe holds
# The words behind `bestmove` that replace the move.
ANSWERS = {"illegal": " 5i5e", "nonsense": " \xff?", "nothing": "", "declares": " win", "resigns": " resign",
           "drops": " P*5e"}


def serve(behaviour: str, given: Lines, said: TextIO, complained: TextIO, sleep: Callable[[float], object]) -> int:
    """The exit status after serving; a negative one is the signal to end by."""

    def say(text: str) -> None:
        said.write(text + "\n")
        said.flush()

    def answer(misbehaving: bool) -> None:
        move = CYCLE[plies % 4]
        say(f"info depth 3 score cp {10 * plies} nodes 77 pv {move}")
        if misbehaving and behaviour in ANSWERS:
            say(f"bestmove{ANSWERS[behaviour]}")
        elif behaviour.startswith("guesses"):
            guess = CYCLE[(plies + 1) % 4] if behaviour == "guesses right" else ("1c1d", "1g1f")[plies % 2]
            say(f"bestmove {move} ponder {guess}")
        else:
            say(f"bestmove {move}")

    plies, pondering, thinking = 0, False, False
    if behaviour == "ends":
        return 0
    while (line := given.readline()) and not line.startswith("quit"):
        word, *rest = line.split()
        if word == "usi" and behaviour != "mute":
            say("id name Stub\noption name USI_Hash type spin default 16 min 1 max 99\n"
                "option name With Space type button\noption name MaxMovesToDraw type spin default 0 min 0 max 9999\n"
                "option name Threads type spin default 4 min 1 max 8\n"
                "usiok")
        elif word == "isready" and behaviour != "unready":
            say("readyok")
        elif word == "position":
            plies = len(rest) - rest.index("moves") - 1 if "moves" in rest else 0
        elif word == "go" and rest[0] == "ponder":
            pondering = behaviour != "blurts"
            if not pondering:
                answer(False)
        elif word == "go" and plies > 1:
            if behaviour == "crashes":
                complained.write("Segmentation fault, so to speak\n")
                return 1
            if behaviour == "is killed":
                return -signal.SIGKILL
            if behaviour == "closes":
                said.close()
            if behaviour in ("closes", "deaf"):
                sleep(1000)
                return 0
            if behaviour == "talks":
                complained.write("what nobody reads, over and over again\n" * MANY)
                complained.flush()
            if behaviour == "floods":
                said.write("x" * 2_000_000 + "\n" + "info string la la la\n" * MANY)
            thinking = behaviour == "slow"
            if behaviour not in ("slow", "silent"):
                answer(True)
        elif word == "go":
            answer(False)
        elif word in ("stop", "ponderhit") and (pondering or thinking):
            pondering = thinking = False
            answer(False)
    if behaviour == "stubborn":
        sleep(1000)
    return 0


if __name__ == "__main__":
    if sys.argv[1] == "stubborn":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
    status = serve(sys.argv[1], sys.stdin, sys.stdout, sys.stderr, time.sleep)
    if status < 0:
        os.kill(os.getpid(), -status)
    sys.exit(status)
