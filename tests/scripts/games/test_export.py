"""Records of games: read back by our readers and by those of others, however the game ended."""
import json
import subprocess
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from engine import BLACK, SUPERIOR, WHITE, Position
from engine.records.files import read_record, read_records
from scripts.games.export import record_of, write_records
from scripts.games.played import PlayedGame
from scripts.games.rules import End
from scripts.games.standings import Standings
from tests.each import each
from tests.processes import SECONDS
from tests.references import cshogi

THOUGHTS = [(1500, 35, 9, 3000), (250, -40, None, None), (10, None, None, None)]


def game(winner: int | None, end: End, detail: str = "") -> PlayedGame:
    return PlayedGame(winner, end, "startpos moves 7g7f 3c3d 2g2f", 1, list(THOUGHTS), detail,
                      "2026-01-02T03:04:05+00:00")


@pytest.mark.parametrize("ended", [
    *(game(BLACK, end) for end in ("mate", "resignation", "time-out", "illegal move", "perpetual check")),
    game(WHITE, "declaration"), game(WHITE, "perpetual check"),
    *(game(None, end) for end in ("repetition", "length", "drawish")),
])
def test_who_won_is_read_back(ended: PlayedGame, tmp_path: Path) -> None:
    write_records(tmp_path, Standings(["a", "b"], [(0, 1)], {0: ended}))
    for record in (read_record(tmp_path / "games.csa"), read_record(tmp_path / "kif" / "00001.kifu")):
        assert record.winner == ended.winner
        assert record.moves == ended.moves
        assert record.names == ("a", "b")


@each("end", get_args(End))
def test_both_formats_take_every_end(end: End, tmp_path: Path) -> None:
    write_records(tmp_path, Standings(["a", "b"], [(0, 1)], {5: game(BLACK, end, "what was wrong")}))
    assert "'*▲ " + end + ": what was wrong" in (tmp_path / "games.csa").read_text()
    assert f"*▲ {end}: what was wrong" in (tmp_path / "kif" / "00006.kifu").read_text()
    assert read_records(tmp_path / "games.csa")[0].names == ("b", "a"), "games of odd number have the first as White"


def test_scores_are_from_blacks_side() -> None:
    # After the opening's one move White thought first.
    csa, kif = (record_of(game(BLACK, "resignation"), ("a", "b"), "e", form) for form in (True, False))
    assert csa.comments == {2: "* -35", 3: "* -40", 4: "▲ resignation"}
    assert kif.comments[2] == "対局 深さ 9 ノード数 3000 評価値 -35"
    assert csa.times == {2: 1.5, 3: 0.25, 4: 0.01}
    assert csa.headers == {"EVENT": "e", "START_TIME": "2026/01/02 03:04:05"}


def test_a_superior_position_is_named_without_a_number() -> None:
    played = game(BLACK, "resignation")
    (first, *_rest), others = played.thoughts[0], played.thoughts[1:]
    played = replace(played, thoughts=[(first, SUPERIOR, 9, 3000), *others])
    csa, kif = (record_of(played, ("a", "b"), "e", form) for form in (True, False))
    assert (2 in csa.comments, kif.comments[2]) == (False, "対局 深さ 9 ノード数 3000 後手優等局面")


def test_cshogi_reads_the_games(tmp_path: Path) -> None:
    games = {0: game(BLACK, "resignation"), 1: game(None, "repetition")}
    write_records(tmp_path, Standings(["a", "b"], [(0, 1)], games))
    first, second = cshogi.CSA.Parser.parse_str((tmp_path / "games.csa").read_text())
    assert [cshogi.move_to_usi(move) for move in first.moves] == ["7g7f", "3c3d", "2g2f"]
    assert (first.names, first.win, second.win) == (["a", "b"], cshogi.BLACK_WIN, cshogi.DRAW)
    assert first.scores[1:] == [-35, -40]
    kif = cshogi.KIF.Parser.parse_str((tmp_path / "kif" / "00001.kifu").read_text())
    assert [cshogi.move_to_usi(move) for move in kif.moves] == ["7g7f", "3c3d", "2g2f"]


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Records of one long game with captures, promotions and drops, which the side to move resigned; and its moves."""
    position, rng = Position(), Random(5)
    while len(position.moves) < 120:
        position.push(rng.choice(position.legal_moves()))
        assert not position.is_mate()
    folder = tmp_path_factory.mktemp("long")
    played = PlayedGame(WHITE, "resignation", "startpos moves " + " ".join(position.moves), 3,
                  [(1500, 35, 9, 3000)] * 117 + [(10, None, None, None)], "", "2026-01-02T03:04:05+00:00")
    write_records(folder, Standings(["a", "b"], [(0, 1)], {0: played}))
    return folder, position.moves


def test_python_shogi_reads_the_games(long: tuple[Path, list[str]]) -> None:
    csa, kif = pytest.importorskip("shogi.CSA"), pytest.importorskip("shogi.KIF")
    folder, moves = long
    for found in (csa.Parser.parse_file(str(folder / "games.csa")),
                  kif.Parser.parse_str((folder / "kif" / "00001.kifu").read_text(encoding="utf-8"))):
        assert [(one["names"], one["moves"], one["win"]) for one in found] == [(["a", "b"], moves, "w")]


TSSHOGI = """
const {importCSA, importKIF, getBlackPlayerName, getWhitePlayerName} = require("tsshogi");
const fs = require("fs");
const found = [[importCSA, process.argv[1]], [importKIF, process.argv[2]]].map(([read, file]) => {
  const record = read(fs.readFileSync(file, "utf8"));
  if (record instanceof Error) throw record;
  const [, ...nodes] = record.moves, last = nodes.pop();
  return {names: [getBlackPlayerName(record.metadata), getWhitePlayerName(record.metadata)],
          moves: nodes.map(node => node.move.usi), end: last.move.type, seconds: nodes[3].elapsedMs / 1000,
          comment: nodes[3].comment};
});
console.log(JSON.stringify(found));
"""


def test_tsshogi_reads_the_games(long: tuple[Path, list[str]], tsshogi: Path) -> None:
    folder, moves = long
    done = subprocess.run(["node", "-e", TSSHOGI, str(folder / "games.csa"), str(folder / "kif" / "00001.kifu")],
                          cwd=tsshogi, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    csa, kif = json.loads(done.stdout)
    for found in (csa, kif):
        assert (found["names"], found["moves"], found["end"]) == (["a", "b"], moves, "resign")
    assert (csa["seconds"], csa["comment"].strip()) == (1.5, "* -35")
    assert (kif["seconds"], kif["comment"].strip()) == (1, "対局 深さ 9 ノード数 3000 評価値 -35")
