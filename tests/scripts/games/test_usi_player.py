"""Games of USI engines, good ones and bad ones of every kind. Each is judged rightly, and every wait has a limit."""
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from engine import BLACK, WHITE
from scripts.games import usi_player
from scripts.games.game import Pairing, play_game
from scripts.games.rules import Rules
from scripts.games.search_player import SearchPlayer
from scripts.games.timecontrol import PlayerLimits
from scripts.games.usi_player import UsiPlayer, close_engines, with_own_names
from tests.each import each
from tests.faults import refused
from usi.client import EngineGone, EngineSilent, UsiClient, client

Stub = Callable[..., UsiPlayer]

PLAIN = Rules(decisive_score=0)


def test_an_engine_against_our_own_search(stub: Stub, quick: SearchPlayer) -> None:
    game = play_game(Pairing("startpos", (stub("good"), quick), Rules(max_plies=1)))
    assert (game.end, game.plies, game.detail) == ("length", 1, "")
    game = play_game(Pairing("startpos", (quick, stub("resigns")), Rules(max_plies=40, decisive_score=0)))
    assert game.winner == BLACK


def test_a_real_engine_that_is_killed(real_stub: Stub, quick: SearchPlayer) -> None:
    game = play_game(Pairing("startpos", (quick, real_stub("is killed")), PLAIN))
    assert (game.winner, game.end, game.plies) == (BLACK, "crash", 3)
    assert "ended by SIGKILL" in game.detail


@each(("behaviour", "end", "detail", "side"), [
    ("crashes", "crash", "ended with exit code 1; stderr: Segmentation fault, so to speak", BLACK),
    ("is killed", "crash", "ended by SIGKILL", WHITE),
    ("closes", "crash", "closed its output", BLACK),
    ("illegal", "illegal move", "'5i5e' in ", WHITE),
    ("drops", "illegal move", "'P*5e' in ", BLACK),
    ("nothing", "illegal move", "'bestmove' names no move", WHITE),
    ("nonsense", "illegal move", "?' in ", BLACK),
    ("declares", "false declaration", "by CSARule27", WHITE),
    ("resigns", "resignation", "", BLACK),
    ("resigns", "resignation", "", WHITE),
])
def test_what_engines_do_is_called_by_its_name(stub: Stub, behaviour: str, end: str, detail: str, side: int,
                                               told: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    if behaviour == "closes":           # it would not end by itself
        monkeypatch.setattr(client, "EXIT_SECONDS", 0.05)
        monkeypatch.setattr(client, "QUIT_SECONDS", 0.05)
    good, bad = stub("good"), stub(behaviour)
    pairing = Pairing("startpos", (bad, good) if side == BLACK else (good, bad), PLAIN)
    game = play_game(pairing)
    assert (game.winner, game.end, game.plies) == (side ^ 1, end, 2 + side)
    assert detail in game.detail
    assert game.offender == (None if end == "resignation" else side)
    assert len(game.thoughts) == 3 + side
    told.clear()
    again = play_game(pairing)
    assert (again.winner, again.end) == (side ^ 1, end)
    assert told.count("usi") == (end != "resignation"), "who misbehaved begins the next game as a fresh engine"


@pytest.mark.parametrize(("behaviour", "control", "timeout", "ends"), [
    ("deaf", PlayerLimits(movetime=50), 50, ("silence", "time-out")),
    ("silent", PlayerLimits(nodes=1), 100, ("silence",)),        # no clock runs
])
def test_an_engine_that_never_answers(stub: Stub, behaviour: str, control: PlayerLimits, timeout: int,
                                      ends: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usi_player, "GRACE_SECONDS", 0.1)
    bad = stub(behaviour, control=control, timeout=timeout)
    # Its first move comes at once, but in 50 ms only on a quiet machine, so that move is the good engine's.
    game = play_game(Pairing("startpos moves 2h3h", (stub("good"), bad), PLAIN))
    assert (game.winner, game.offender) == (BLACK, WHITE)
    assert game.end in ends


def test_an_engine_that_is_late(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usi_player, "GRACE_SECONDS", 60)
    slow = stub("slow", control=PlayerLimits(time=0, byoyomi=200), margin=50)
    game = play_game(Pairing("startpos moves 2h3h 8b7b", (slow, stub("good")), PLAIN))
    assert (game.winner, game.end, game.plies) == (WHITE, "time-out", 0)
    assert "200 ms were left" in game.detail
    assert game.thoughts[0][0] >= 250


@each("behaviour", ["talks", "floods"])
def test_engines_may_talk(stub: Stub, behaviour: str) -> None:
    game = play_game(Pairing("startpos", (stub(behaviour), stub("good")), PLAIN))
    assert (game.winner, game.end, game.plies) == (None, "repetition", 12)
    assert [thought[1:] for thought in game.thoughts[:3]] == [(0, 3, 77), (10, 3, 77), (20, 3, 77)]


@each(("behaviour", "fault"), [
    ("mute", refused(about="start", name="mute", fault=refused(EngineSilent, words="usiok", seconds=0.2))),
    ("missing", refused(about="started", name="missing", fault=...)),
    ("ends", refused(about="start", name="ends", fault=refused(EngineGone, code=0))),
])
def test_engines_that_do_not_start(stub: Stub, behaviour: str, fault: refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usi_player, "START_SECONDS", 0.2 if behaviour == "mute" else 60)
    player = stub(behaviour)
    if behaviour == "missing":
        player = replace(player, command=("/nowhere/engine",))
    with fault:
        player.conditions(PLAIN)
    game = play_game(Pairing("startpos", (player, player), PLAIN))
    assert (game.winner, game.end, game.plies) == (WHITE, "crash", 0)


def test_an_engine_that_is_never_ready(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    unready = stub("unready")
    unready.conditions(PLAIN)
    start = usi_player.started

    def started(player: UsiPlayer, rules: Rules) -> UsiClient:
        try:
            return start(player, rules)
        finally:
            monkeypatch.setattr(usi_player, "START_SECONDS", 0.2)
    monkeypatch.setattr(usi_player, "started", started)
    game = play_game(Pairing("startpos", (unready, stub("good")), PLAIN))
    assert (game.winner, game.end, game.detail) == (WHITE, "silence", "no readyok within 0.2 s")


def test_options_are_set_before_a_game_and_kept(stub: Stub, told: list[str]) -> None:
    players = (stub("good", options={"usi_hash": "32", "With Space": ""}),
               stub("good", options={"MaxMovesToDraw": "9", "threads": "3"}))
    rules = Rules(max_plies=2)
    for _ in range(2):
        assert play_game(Pairing("startpos", players, rules)).end == "length"
    close_engines()
    assert told.count("usi") == 2, "an engine stays for the next game"
    assert told.count("setoption name USI_Hash value 32") == 1
    assert told.count("setoption name With Space") == 1
    assert told.count("setoption name MaxMovesToDraw value 2") == 1
    assert told.count("setoption name MaxMovesToDraw value 9") == 1
    assert told.count("setoption name Threads value 1") == 1, "each has one thread, if nobody says otherwise"
    assert told.count("setoption name Threads value 3") == 1
    assert told.count("isready") == told.count("usinewgame") == told.count("gameover draw") == 4
    assert told.count("quit") == 2
    known = ["USI_Hash", "With Space", "MaxMovesToDraw", "Threads"]
    with refused(at="good", name="Hash", names=known):
        stub("good", options={"Hash": "3"}).conditions(PLAIN)


# -- Ponder ------------------------------------------------------------------------------------------------------------

def pondered(told: list[str]) -> list[str]:
    return [line for line in told if line.startswith(("go ponder", "ponderhit", "stop"))]


def test_pondering_on_the_right_move(stub: Stub, told: list[str]) -> None:
    control = PlayerLimits(time=600_000, byoyomi=1000)
    game = play_game(Pairing("startpos", (stub("guesses right", ponder=True, control=control), stub("good")), PLAIN))
    assert (game.end, game.plies) == ("repetition", 12)
    assert told.count("ponderhit") == 5
    assert "position startpos moves 2h3h 8b7b" in told[:told.index("ponderhit")], "it is told the guess"
    assert any(re.fullmatch(r"go ponder btime \d+ wtime 0 byoyomi 1000", line) for line in told)
    assert told.count("go btime 600000 wtime 0 byoyomi 1000") == 1, "all other moves follow a ponderhit"
    # After its sixth move it ponders on, and is stopped as the game ends by the answer.
    assert pondered(told)[-2:][0].startswith("go ponder")
    assert pondered(told)[-1] == "stop"


def test_pondering_on_a_wrong_move(stub: Stub, told: list[str]) -> None:
    game = play_game(Pairing("startpos", (stub("good"), stub("guesses wrong", ponder=True)), PLAIN))
    assert (game.end, game.plies) == ("repetition", 12)
    assert "ponderhit" not in pondered(told)
    assert pondered(told).count("stop") == pondered(told).count("go ponder nodes 1") == 5


def test_an_answer_before_the_ponderhit_counts_at_the_hit(stub: Stub) -> None:
    game = play_game(Pairing("startpos", (stub("blurts", ponder=True), stub("good")), PLAIN))
    assert (game.end, game.plies) == ("repetition", 12)


# -- The command line --------------------------------------------------------------------------------------------------

@each(("text", "player"), [
    ("name='my engine' option.USI_Hash=64 option.EvalDir='a b' time=1000 inc=20 ponder=on dir=/tmp margin=5 ./e -x y=2",
     UsiPlayer("my engine", ("./e", "-x", "y=2"), PlayerLimits(time=1000, increment=20),
               {"USI_Hash": "64", "EvalDir": "a b"}, True, "/tmp", 5)),
    ("/usr/games/gpsusi", UsiPlayer("gpsusi", ("/usr/games/gpsusi",), PlayerLimits(nodes=1))),
    ("nodes=2 'a=b/my engine' x", UsiPlayer("my engine", ("a=b/my engine", "x"), PlayerLimits(nodes=2))),
    ("nodes=2 ./a=b", UsiPlayer("a=b", ("./a=b",), PlayerLimits(nodes=2))),
])
def test_an_engine_as_it_is_written(text: str, player: UsiPlayer) -> None:
    assert UsiPlayer.parse(text, PlayerLimits(nodes=1)) == player
    assert UsiPlayer.parse(f"ponder=off {text}", PlayerLimits(nodes=1), ponder=True).ponder is player.ponder


def test_an_engine_is_a_program_before_it_is_a_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "v=1.exe").touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert UsiPlayer.parse("nodes=1 v=1.exe").command == ("v=1.exe",)


@each(("system", "argument"), [("win32", "x\\y"), ("linux", "xy")])
def test_backslashes_are_part_of_a_path_on_windows(system: str, argument: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", system)
    assert UsiPlayer.parse(r"nodes=1 'C:\My Engines\v=1.exe' x\y").command == (r"C:\My Engines\v=1.exe", argument)


@each(("text", "fault"), [
    *((f"{word} e", refused(word=word, limits=...)) for word in ("nmae=x", "nodes=many", "ponder=yes")),
    ("nodes=3", refused(about="command", text="nodes=3")), ("", refused(about="command", text="")),
    ("e", refused(about="limit", text="e")), ("'e", refused(text="'e", fault=...)),
    ("nodes=0 e", refused(about="nothing", limits="nodes=0")),
    ("time=5 movetime=7 e", refused(about="clock", limits="0.005 s + 0.007 s a move")),
])
def test_an_engine_that_cannot_be_read(text: str, fault: refused) -> None:
    with fault:
        UsiPlayer.parse(text)


def test_engines_of_one_name_are_numbered() -> None:
    players = [UsiPlayer(name, ("e",), PlayerLimits(nodes=1)) for name in ("a", "b", "a", "a", "a 2")]
    assert [player.name for player in with_own_names(players)] == ["a", "b", "a 2", "a 3", "a 2 2"]
