"""The page's own rules and names of moves are the engine's: legal moves, positions after them, KIF; Western notation is
read back by our reader of it."""
import json
import shutil
import subprocess
from random import Random

import pytest

from engine import Position
from engine.records.pgn import pgn_to_usi
from tests.processes import SECONDS
from usi.pages.pages import packaged
from usi.words.wording import format_move, last_move

STARTS = (
    None,
    "4k4/9/4P4/9/9/9/9/9/4K4 w G2Pr2b 7",
    "8k/6G2/8S/9/9/9/9/9/K8 b P 1",                         # a pawn dropped would mate
    "k8/9/9/9/9/9/8s/6g2/8K w p 1",
    "8k/8g/9/8P/9/9/9/9/K7L b P 1",                         # no second pawn on a file, no piece that could not move
    "k8/9/4L4/2P1N4/9/9/9/9/8K b NLP 1",
    "k8/9/9/9/9/9/4r4/4G4/4K4 b 2G 1",                      # a pinned piece
    "9/4G1G2/9/9/4k4/9/9/9/9 b - 1",                        # no king of its own
)
PROGRAM = """
const known = JSON.parse(require("fs").readFileSync(0, "utf8")).map(each => {
  const position = parseSfen(each.sfen), moves = legalMoves(position);
  return {sfen: formatSfen(position), moves, after: moves.map(move => formatSfen(play(position, move))),
          ja: moves.map(move => japaneseMove(position, move, each.previous)),
          en: moves.map(move => westernMove(position, move))};
});
console.log(JSON.stringify(known));
"""


def positions() -> list[Position]:
    rng, found = Random(3), []
    for start in STARTS:
        position = Position() if start is None else Position(start)
        for _ in range(1 if start and "w" not in start else 160):
            found.append(position.copy())
            if position.is_mate():
                break
            position.push(rng.choice(position.legal_moves()))
    return found


def bare(sfen: str) -> str:
    return sfen.rpartition(" ")[0]


@pytest.mark.skipif(not shutil.which("node"), reason="needs node to run the page's program")
def test_the_page_knows_the_rules_and_the_names() -> None:
    known = positions()
    asked = json.dumps([{"sfen": position.sfen, "previous": last_move(position)} for position in known])
    done = subprocess.run(["node", "-e", packaged("page.js") + packaged("moves.js") + PROGRAM], input=asked,
                          capture_output=True, text=True, encoding="utf-8", timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    drops = captures = 0
    for position, found in zip(known, json.loads(done.stdout), strict=True):
        moves = found["moves"]
        assert found["sfen"] == bare(position.sfen)
        assert sorted(moves) == sorted(position.legal_moves()), position.sfen
        for move, japanese, western in zip(moves, found["ja"], found["en"], strict=True):
            assert japanese == format_move(position, move, "japanese")
            assert western.endswith("=") == (f"{move}+" in moves)
            assert ("x" in western) == ("*" not in move and position.piece_at(move[2:4]) != 0)
            drops += "*" in western
            captures += "x" in western
        # Reading goes through all legal moves for each of them, so not all are read.
        for move, western in list(zip(moves, found["en"], strict=True))[::10]:
            assert pgn_to_usi(position, western) == move, position.sfen
        for move, after in list(zip(moves, found["after"], strict=True))[::6]:
            position.push(move)
            assert after == bare(position.sfen)
            position.pop()
    assert len(known) > 200
    assert drops > 1000
    assert captures > 300
