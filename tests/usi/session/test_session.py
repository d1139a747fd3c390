"""What a session answers beyond the protocol, as a black box."""

from engine import Position
from tests.references import cshogi
from tests.usi.conftest import Client
from usi.session.options import OPTIONS


def test_d_shows_the_position(engine: Client) -> None:
    sfen = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"
    engine.send(f"position sfen {sfen}", "d")
    lines = engine.raw_until("sfen: ")
    assert lines[-1] == f"sfen: {Position(sfen).sfen}"
    assert len(lines) == 13


def test_eval_depends_on_the_position_alone(engine: Client) -> None:
    engine.send("position startpos moves 7g7f 3c3d 8h2b+", "eval")
    before = engine.raw_until("eval: ")
    engine.send("go nodes 5000")
    engine.expect("bestmove")
    engine.send("eval")
    assert engine.raw_until("eval: ") == before
    assert int(before[-1].split()[1]) < -300


def test_go_perft(engine: Client) -> None:
    engine.send("position startpos", "go perft 3")
    lines = engine.raw_until("Nodes searched: ")
    assert lines[-1] == "Nodes searched: 25470"
    counts = dict(line.split(": ") for line in lines[:-1])
    assert set(counts) == set(Position().legal_moves())
    assert sum(map(int, counts.values())) == 25470


def test_go_perft_can_be_stopped(engine: Client) -> None:
    engine.send("go perft 15", "stop", "isready")
    engine.raw_until("readyok")


def test_commands_of_yaneuraou(engine: Client) -> None:
    engine.send("position startpos moves 7g7f", "side", "moves", "key")
    side, moves, key = engine.raw_until("")[0], engine.raw_until("")[0], engine.raw_until("")[0]
    after = Position.from_usi("startpos moves 7g7f")
    assert side == "white"
    assert sorted(moves.split()) == sorted(cshogi_moves(after.sfen))
    assert key == f"{after.key:016x}"
    engine.send("position startpos", "side", "key")
    assert engine.raw_until("")[0] == "black"
    assert engine.raw_until("")[0] != key


def test_the_side_that_is_mated_has_no_moves(engine: Client) -> None:
    engine.send("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "moves")
    assert engine.raw_until("") == [""]


def test_getoption(engine: Client) -> None:
    for asked, answer in [
        ("usi_hash", "Options[USI_Hash] == 16"), ("USI_Ponder", "Options[USI_Ponder] == false"),
        ("BookFile", "Options[BookFile] == <empty>"), ("ResignValue", "Options[ResignValue] == 99999"),
        ("Nothing", "info string no option is called 'Nothing'"),
        ("Clear_Hash", "info string Clear_Hash is a button and has no value"),
    ]:
        engine.send(f"getoption {asked}")
        assert engine.raw_until("")[0] == answer
    engine.send("getoption", "isready")
    lines = engine.raw_until("readyok")
    assert "Options[Threads] == 1" in lines
    assert len(lines) == len(OPTIONS)       # a button has none, and there is one; readyok


def cshogi_moves(sfen: str) -> list[str]:
    return [cshogi.move_to_usi(move) for move in cshogi.Board(sfen).legal_moves]
