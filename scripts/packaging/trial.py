"""Try an engine that was made for users, in an empty environment.

    python scripts/packaging/trial.py PROGRAM
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

SIGNATURE = Path(__file__).parents[2] / "tests" / "bench.txt"
MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
COMMANDS = (("--help",), ("--version",), ("completion", "bash"), ("perft", "3"), ("mate", MATE_IN_ONE), ("eval",),
            ("eval", "--eval-file", "tables"), ("doctor", "--help"), ("serve", "--help"),
            ("book", "think", "--positions", "3", "--nodes", "500", "--jobs", "2", "--out"))    # needs a file


def run(*command: str | Path, env: Mapping[str, str] | None = None, said: str = "") -> str:
    """The output of a program that gets the input `said`. Raises OSError, with the end of the output, if the program
    fails."""
    words = list(map(str, command))
    done = subprocess.run(words, env=env, input=said, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          encoding="utf-8", errors="replace")
    if done.returncode:
        end = "\n".join(done.stdout.splitlines()[-30:])
        raise OSError(f"{end}\n`{' '.join(words)}` failed: exit status {done.returncode}")
    return done.stdout


def try_engine(program: Path) -> str:
    """The summary of a trial of an installed engine. Raises OSError if it fails, or its bench count differs from
    tests/bench.txt."""
    with tempfile.TemporaryDirectory() as home:
        kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ}
        bare = {"LC_ALL": "C", "XDG_CACHE_HOME": home, "LOCALAPPDATA": home, **kept}
        printed = run(program, "bench", env=bare)
        nodes, speed = (re.search(rf"^{label}: (\d+)", printed, re.MULTILINE)
                        for label in ("Nodes searched", "Nodes/second"))
        expected = SIGNATURE.read_text(encoding="ascii").strip()
        if not nodes or not speed or nodes[1] != expected:
            raise OSError(f"{program} bench searched {nodes[1] if nodes else 'no'} nodes, and it should {expected}")
        answers = run(program, env=bare, said="usi\nisready\nquit\n").split("\n")
        if not {"usiok", "readyok"} <= set(map(str.strip, answers)):
            raise OSError(f"{program} does not answer `usi` and `isready`, but says {answers[-5:]}")
        for arguments in COMMANDS:
            run(program, *arguments, *([Path(home, "some.db")] if arguments[-1] == "--out" else []), env=bare)
    return f"bench {nodes[1]} nodes, as it should, {int(speed[1]) // 1000} knps; {len(COMMANDS)} commands work"


if __name__ == "__main__":
    print(try_engine(Path(shutil.which(sys.argv[1]) or sys.argv[1])))
