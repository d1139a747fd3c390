"""A USI engine that misbehaves as it is told: `stub_engine.py BEHAVIOUR`. It moves its rook to and fro, from the start
position, and misbehaves from its second move on."""
import os
import signal
import sys
import time

CYCLE = ("2h3h", "8b7b", "3h2h", "7b8b")
BEHAVIOUR = sys.argv[1]
# What stands behind `bestmove`, where it is not the move.
ANSWERS = {"illegal": " 5i5e", "nonsense": " \xff?", "nothing": "", "declares": " win", "resigns": " resign",
           "drops": " P*5e", "guesses wrong": None, "guesses right": None}


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def answer(plies: int, misbehaving: bool) -> None:
    move = CYCLE[plies % 4]
    say(f"info depth 3 score cp {10 * plies} nodes 77 pv {move}")
    if misbehaving and ANSWERS.get(BEHAVIOUR) is not None:
        say(f"bestmove{ANSWERS[BEHAVIOUR]}")
    elif BEHAVIOUR.startswith("guesses"):
        guess = CYCLE[(plies + 1) % 4] if BEHAVIOUR == "guesses right" else ("1c1d", "1g1f")[plies % 2]
        say(f"bestmove {move} ponder {guess}")
    else:
        say(f"bestmove {move}")


def misbehave(plies: int) -> None:
    if BEHAVIOUR == "crashes":
        sys.exit("Segmentation fault, so to speak")
    if BEHAVIOUR == "is killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if BEHAVIOUR == "closes":
        os.close(1)
        time.sleep(1000)
    if BEHAVIOUR == "talks":
        sys.stderr.write("what nobody reads, over and over again\n" * 50_000)
        sys.stderr.flush()
    if BEHAVIOUR == "floods":
        sys.stdout.write("x" * 5_000_000 + "\n" + "info string la la la\n" * 50_000)
    if BEHAVIOUR == "deaf":
        time.sleep(1000)
    if BEHAVIOUR != "silent":
        answer(plies, True)


def main() -> None:
    plies, pondering, thinking = 0, False, False
    if BEHAVIOUR in ("mute", "stubborn"):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
    while True:
        line = sys.stdin.readline()
        if not line or line.startswith("quit"):
            if BEHAVIOUR == "stubborn":
                time.sleep(1000)
            return
        # Before it is answered: who has the answer may look at once.
        if log := os.environ.get("STUB_LOG"):
            with open(log, "a") as file:
                file.write(line)
        word, *rest = line.split()
        if word == "usi" and BEHAVIOUR != "mute":
            say("id name Stub\noption name USI_Hash type spin default 16 min 1 max 99\n"
                "option name With Space type button\noption name MaxMovesToDraw type spin default 0 min 0 max 9999\n"
                "usiok")
        elif word == "isready" and BEHAVIOUR != "unready":
            say("readyok")
        elif word == "position":
            plies = len(rest) - rest.index("moves") - 1 if "moves" in rest else 0
        elif word == "go" and rest[0] == "ponder":
            pondering = True
            if BEHAVIOUR == "blurts":
                answer(plies, False)
                pondering = False
        elif word == "go":
            if BEHAVIOUR == "slow" and plies > 1:
                thinking = True
            elif plies > 1:
                misbehave(plies)
            else:
                answer(plies, False)
        elif word in ("stop", "ponderhit") and (pondering or thinking):
            pondering = thinking = False
            answer(plies, False)


main()
