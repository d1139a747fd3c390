"""Real clients that run without a screen, with the engine as a user would give it to them. docs/CLIENTS.md has the
commands; `-m "not clients"` leaves out the heavy ones, and those that are not installed are skipped."""
import importlib.util
import json
import shutil
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import Position
from tests.references import cshogi
from tests.usi.conftest import ENGINE, PATIENCE_S

MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
GAMES_S = 600.0         # only a client that waits for ever takes so long

xboard = shutil.which("xboard", path="/usr/games:/usr/local/games:/usr/bin:/usr/local/bin")


@pytest.fixture(scope="module")
def cshogi_engine() -> Iterator[Any]:
    engine = cshogi.usi.Engine(ENGINE[0])
    process = engine.proc
    engine.setoption("USI_Hash", 16)
    engine.setoption("Threads", 1)
    engine.isready()
    engine.usinewgame()
    yield engine
    engine.quit()
    for pipe in (process.stdin, process.stdout, process.stderr):     # which it forgets
        pipe.close()


def test_cshogi_engine_plays(cshogi_engine: Any) -> None:
    game = Position()
    listener = cshogi.usi.InfoListener()
    for _ in range(6):
        cshogi_engine.position(game.moves)
        best, ponder = cshogi_engine.go(byoyomi=50, listener=listener.listen())
        assert listener.bestmove == best
        assert listener.pv[0] == best
        assert listener.info["depth"] >= 1
        assert abs(listener.score) < 3000
        game.push(best)
        assert ponder is None or game.is_legal(ponder)
    cshogi_engine.gameover("draw")


def test_cshogi_engine_reads_options_lines_and_mates(cshogi_engine: Any) -> None:
    assert "option name MaxMovesToDraw type spin default 0 min 0 max 100000" in cshogi_engine.usi()
    assert cshogi_engine.name.startswith("Gakushi ")
    cshogi_engine.setoption("MultiPV", 3)
    several = cshogi.usi.MultiPVListener()
    cshogi_engine.position()
    cshogi_engine.go(nodes=2000, listener=several.listen())
    assert [info["multipv"] for info in several.info] == [1, 2, 3]
    cshogi_engine.position(sfen=f"sfen {MATE_IN_ONE}")
    assert cshogi_engine.go_mate(5000) == "G*5b"
    listener = cshogi.usi.InfoListener()
    cshogi_engine.setoption("MultiPV", 1)
    cshogi_engine.go(byoyomi=1000, listener=listener.listen())
    assert listener.score == listener.mate_score


def test_cshogi_engine_ponders(cshogi_engine: Any) -> None:
    """`go` blocks, so it ponders in a thread, as cshogi.cli does."""
    for end in (cshogi_engine.ponderhit, cshogi_engine.stop):
        answers: list[tuple[str, str | None]] = []
        cshogi_engine.position(["7g7f", "3c3d"])
        thinking = threading.Thread(
            target=lambda found=answers: found.append(cshogi_engine.go(ponder=True, byoyomi=50)))
        thinking.start()
        thinking.join(0.2)
        assert thinking.is_alive()
        end()
        thinking.join(PATIENCE_S)
        assert Position.from_usi("startpos moves 7g7f 3c3d").is_legal(answers[0][0])


@pytest.mark.clients
@pytest.mark.parametrize("ponder", [[], ["--ponder"]], ids=["", "ponder"])
def test_cshogi_cli(tmp_path: Path, ponder: list[str]) -> None:
    # Without the book: its answers come so soon that a loaded cshogi sends `ponderhit` before its `go ponder`.
    options = "USI_Hash:16,Threads:1,NetworkDelay2:0,USI_OwnBook:false"
    (tmp_path / "out").mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "cshogi.cli", *ENGINE * 2, "--games", "2", "--byoyomi", "50", "--draw", "40", *ponder,
         "--options1", options, "--options2", f"{options},Stochastic_Ponder:true", "--csa", "out/all.csa",
         "--multi-csa", "--pgn", "all.pgn"],
        cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", timeout=GAMES_S)
    assert done.returncode == 0, done.stderr
    assert "2 of 2 games finished." in done.stdout
    for fault in ("反則", "切れ負け"):
        assert fault not in done.stdout
    games = cshogi.CSA.Parser.parse_file(str(tmp_path / "out" / "all.csa"))
    assert len(games) == 2
    assert all(len(game.moves) >= 20 for game in games)


@pytest.mark.clients
@pytest.mark.skipif(not importlib.util.find_spec("shogiarena"), reason="shogiarena is not installed")
def test_shogiarena_tournament(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.yaml").write_text(
            f"name: {name}\nengine_path: {ENGINE[0]}\nworking_directory: {tmp_path}\n"
            "options: {Threads: 1, USI_Hash: 16}\n")
    (tmp_path / "t.yaml").write_text("""
experiment_name: gakushi
engines: [{engine_path: one.yaml}, {engine_path: two.yaml}]
tournament: {scheduler: round_robin, games_per_pair: 2, num_parallel: 1}
rules:
  time_control: {time_ms: 1000, increment_ms: 100}
  repetition_occurrences_to_draw: 4
  adjudication: {max_plies: 60}
dashboard: {enabled: false}
""")
    subprocess.run([str(Path(sys.executable).with_name("shogiarena")), "run", "tournament", "t.yaml", "--run-dir", "R"],
                   cwd=tmp_path, capture_output=True, timeout=GAMES_S, check=True)
    results = json.loads((tmp_path / "R" / "results" / "tournament_results.json").read_text(encoding="utf-8"))
    assert results["completed_games"] == 2
    assert not list((tmp_path / "R").glob("failures/*.json")), "no game ended in an error"


@pytest.mark.clients
@pytest.mark.skipif(not (xboard and shutil.which("xvfb-run")), reason="xboard or xvfb-run is not installed")
def test_xboard_over_uci2wb(tmp_path: Path) -> None:
    """A full game of the engine with itself, in a window on a virtual screen."""
    assert xboard
    adapter = f"{Path(xboard).with_name('uci2wb')} -s {ENGINE[0]}"
    subprocess.run(["xvfb-run", "-a", xboard, "-variant", "shogi", "-fcp", adapter, "-fd", tmp_path, "-scp", adapter,
                    "-sd", tmp_path, "-mg", "1", "-tc", "0:05", "-inc", "0.1", "-popupExitMessage", "false", "-debug",
                    "-nameOfDebugFile", "log", "-sgf", "g.pgn"],
                   cwd=tmp_path, capture_output=True, timeout=GAMES_S, check=True)
    log = (tmp_path / "log").read_text(encoding="utf-8", errors="replace")
    assert "option EnteringKingRule=CSARule27" in log, "it sends what it takes for the default"
    for fault in ("llegal move", "forfeits", "flag fell", "exited unexpectedly"):
        assert fault not in log
    assert "[Result " in (tmp_path / "g.pgn").read_text(encoding="utf-8")


WEB = """
import sys
from cshogi.web.app import run
options = {"USI_Hash": "16", "Threads": "1"}
run(sys.argv[1], sys.argv[1], options, options, byoyomi=50, draw=12, port=int(sys.argv[2]))
"""


@pytest.mark.clients
@pytest.mark.skipif(not (importlib.util.find_spec("flask") and shutil.which("chromium")),
                    reason="flask or chromium is not installed")
def test_web_board_in_chromium(tmp_path: Path) -> None:
    port = 18000 + int(time.time()) % 1000
    with subprocess.Popen([sys.executable, "-c", WEB, ENGINE[0], str(port)], cwd=tmp_path, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as server:
        try:
            page = f"http://localhost:{port}/"
            deadline = time.monotonic() + GAMES_S
            moves: list[Any] = []
            while len(moves) < 13 and time.monotonic() < deadline:       # twelve moves, and the result
                time.sleep(0.2)
                try:
                    with urllib.request.urlopen(f"{page}update") as answer:
                        moves = json.load(answer)["moves"]
                except OSError:
                    continue
            assert [move["kif_move"] for move in moves][-1] == "持将棋"
            assert all(isinstance(move["eval"], int) and move["pv"] for move in moves[:-1])
            shown = subprocess.run(
                ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000",
                 f"--user-data-dir={tmp_path}/profile", "--dump-dom", page],
                capture_output=True, text=True, encoding="utf-8", timeout=GAMES_S, check=True).stdout
        finally:
            server.kill()
    assert "Gakushi" in shown
    assert moves[0]["kif_move"] in shown
