"""Records of random games: written and read back, and exchanged with cshogi and rsshogi."""

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import rsshogi.record

from engine import BLACK, WHITE, Position
from engine.records.csa import format_csa
from engine.records.files import find_records, read_record, read_records
from engine.records.game import Game
from engine.records.handicaps import HANDICAPS
from engine.records.jkf import format_jkf
from engine.records.ki2 import format_ki2
from engine.records.kif import format_kif
from engine.records.record import TERMINALS, GameRecord
from tests.each import each
from tests.engine.conftest import Choose
from tests.engine.records.trees import random_tree
from tests.faults import refused
from tests.processes import SECONDS
from tests.references import cshogi

RECORDS = Path(__file__).parents[1] / "data" / "records"
MIDDLE_GAME = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"
PROBLEM = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
ENDS = sorted(TERMINALS - {"WIN_BY_DEFAULT", "LOSS_BY_DEFAULT"})           # these two CSA has no words for

Write = Callable[[GameRecord], str]

WRITERS: dict[str, Write] = {"csa": format_csa, "kif": format_kif, "ki2": format_ki2, "jkf": format_jkf}
THEIR_READERS = {
    format_csa: rsshogi.record.Record.from_csa_str, format_kif: rsshogi.record.Record.from_kif_str,
    format_ki2: rsshogi.record.Record.from_ki2_str, format_jkf: rsshogi.record.Record.from_jkf_str,
}
Tree = list[tuple[str, "Tree"]]


@pytest.fixture(scope="module")
def records(choose: Choose) -> list[GameRecord]:
    rng = Random(4)
    starts = [*HANDICAPS.values(), MIDDLE_GAME]
    return [random_record(rng, choose, starts[i % len(starts)], ENDS[i % len(ENDS)]) for i in range(40)]


def random_record(rng: Random, choose: Choose, start: str, terminal: str) -> GameRecord:
    position = Position(start)
    record = GameRecord(position.sfen, names=("春野一歩", "Gote, A."), headers={"EVENT": "試験", "備考": "a: b"})
    record.comments[0] = "初手の前"
    for ply in range(1, rng.randint(1, 120)):
        moves = position.legal_moves()
        if not moves:
            break
        record.moves.append(choose(position, moves, rng))
        position.push(record.moves[-1])
        record.times[ply] = rng.randrange(4000)
        if rng.random() < 0.1:
            record.comments[ply] = "* 120 +7776FU\n\n三行目, 投了"
    record.terminal = terminal
    record.times[len(record.moves) + 1] = 3
    return record


@pytest.fixture(scope="module")
def varied() -> list[GameRecord]:
    """Games with variations, and variations of those, everywhere."""
    games = [GameRecord(start, terminal="TORYO") for start in [*HANDICAPS.values(), MIDDLE_GAME]]
    for seed, game in enumerate(games):
        random_tree(game, game.position(), Random(seed), 2)
    return [game for game in games if game.variations]


def branches(record: GameRecord, ply: int = 1) -> Tree:
    """The moves that go on from a ply, the record's own move first."""
    found = [(record.moves[ply - 1], branches(record, ply + 1))] if ply <= len(record.moves) else []
    for variation in record.variations.get(ply, []):
        found += branches(variation)
    return found


@pytest.fixture(params=WRITERS)
def write(request: pytest.FixtureRequest) -> Write:
    return WRITERS[request.param]


def outcome(record: GameRecord) -> tuple[object, ...]:
    """The part of a game that every format keeps; formats name some ends of equal meaning differently."""
    return record.initial_sfen, record.moves, record.winner


# KIF and JKF do not say whose turn an offence ended, KI2 neither times nor how exactly a game ended.
@pytest.mark.parametrize(("write", "lost"), [
    (format_csa, ()), (format_kif, ("terminal",)), (format_ki2, ("terminal", "times")), (format_jkf, ("terminal",))])
def test_a_format_keeps_all_that_it_has_a_place_for(records: list[GameRecord], write: Write,
                                                    lost: tuple[str, ...]) -> None:
    for record in records:
        copy = read_record(write(record))
        assert outcome(copy) == outcome(record)
        assert replace(copy, **{name: getattr(record, name) for name in lost}) == record


def test_csa_has_several_games_in_one_file(records: list[GameRecord]) -> None:
    assert read_records(format_csa(*records)) == records


def test_rsshogi_finds_the_variations_of_our_jkf(varied: list[GameRecord]) -> None:
    for record in varied:
        theirs = rsshogi.record.Record.from_jkf_str(format_jkf(record))

        def found(node: int, theirs: rsshogi.record.Record = theirs) -> Tree:
            return [(entry.move.to_usi(), found(child)) for child in theirs.children(node)
                    if (entry := theirs.node_move(child))]

        assert found(theirs.root_node_id()) == branches(record)


@pytest.mark.clients
def test_tsshogi_reads_what_we_write(records: list[GameRecord], varied: list[GameRecord], tsshogi: Path) -> None:
    """ShogiHome's own library reads all games and variations in every format, with the players, the first comment and
    the first move's time."""
    folder = tsshogi / "records"
    folder.mkdir()
    expected = {}
    for number, record in enumerate([*records, *varied]):
        for suffix, write in WRITERS.items():
            if write is not format_csa or not record.variations:
                (folder / f"{number}.{suffix}").write_text(write(record), encoding="utf-8")
                seconds = None if suffix == "ki2" else int(record.times.get(1, 0))
                expected[f"{number}.{suffix}"] = json.loads(json.dumps(
                    [record.names, branches(record), record.comments.get(0, ""), seconds]))
    done = subprocess.run(["node", "-e", TSSHOGI, str(folder)], cwd=tsshogi, capture_output=True, text=True,
                          timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == expected


TSSHOGI = """
const {importCSA, importKIF, importKI2, importJKFString, getBlackPlayerName, getWhitePlayerName} = require("tsshogi");
const fs = require("fs");
const read = {csa: importCSA, kif: importKIF, ki2: importKI2, jkf: importJKFString};
function tree(node) {
  const found = [];
  for (let child = node.next; child; child = child.branch)
    if (child.move.usi) found.push([child.move.usi, tree(child)]);
  return found;
}
const found = {};
for (const name of fs.readdirSync(process.argv[1])) {
  const ending = name.split(".")[1], record = read[ending](fs.readFileSync(process.argv[1] + "/" + name, "utf8"));
  if (record instanceof Error) throw new Error(name + ": " + record.message);
  const names = [getBlackPlayerName(record.metadata) ?? "", getWhitePlayerName(record.metadata) ?? ""];
  const seconds = ending === "ki2" ? null : (record.first.next?.elapsedMs ?? 0) / 1000;
  found[name] = [names, tree(record.first), record.first.comment.trim(), seconds];
}
console.log(JSON.stringify(found));
"""


@each(("codec", "encoding"), [
    ("utf-8", "UTF-8"), ("utf-8-sig", "UTF-8"), ("cp932", "Shift_JIS"), ("euc_jp", "EUC-JP"), ("utf-16", "UTF-16"),
    ("utf-16-le", "UTF-16"), ("utf-16-be", "UTF-16"), ("iso2022_jp", "ISO-2022-JP"),
])
def test_encodings(records: list[GameRecord], write: Write, tmp_path: Path, codec: str, encoding: str) -> None:
    text = write(records[0])
    expected = read_record(text)
    for data in (text.encode(codec), text.replace("\n", "\r\n").encode(codec)):
        (tmp_path / "record").write_bytes(data)
        assert read_record(tmp_path / "record") == expected
        form = next(name for name, writer in WRITERS.items() if writer is write).upper()
        assert find_records(data)[1:] == (form, encoding)


def test_what_only_one_of_two_encodings_has() -> None:
    """Letters of NEC's row 13, which plain EUC-JP lacks, and half-width kana, which are valid in both."""
    text = "手合割：平手\n先手：髙①\n   1 ７六歩(77)\n"
    assert find_records(text.encode("cp932")).encoding == "Shift_JIS"
    text = "手合割：平手\n先手：①\n   1 ７六歩(77)\n"
    assert find_records(text.encode("euc_jis_2004")) == ([read_record(text)], "KIF", "EUC-JP")
    kana = "'CSA encoding=Shift_JIS\nN+ｱｲｳｴｵｶ\nPI\n+\n"
    assert read_record(kana.encode("cp932")).names[0] == "ｱｲｳｴｵｶ"


def test_a_fault_names_the_recognised_format() -> None:
    text = "手合割：平手\n   1 ７五歩(77)\n"
    with refused(at=("KIF in EUC-JP", 2), sfen=..., text="７五歩(77)"):
        read_records(text.encode("euc_jp"))
    with refused(at=("KI2", 1), sfen=..., text="▲７五歩"):
        read_records("▲７五歩")
    with refused(at="JKF", line=1, column=2, text=""):
        read_records("{")


def test_rsshogi_reads_ours(records: list[GameRecord], write: Write) -> None:
    for record in records:
        theirs = THEIR_READERS[write](write(record))
        game = Position.from_usi(theirs.to_usi_position().removeprefix("position "))
        assert (game.initial_sfen, game.moves) == (record.initial_sfen, record.moves)
        winners = {BLACK: theirs.result.is_black_win(), WHITE: theirs.result.is_white_win()}
        assert [side for side, won in winners.items() if won] == [] if record.winner is None else [record.winner]


def test_ours_is_what_rsshogi_writes(records: list[GameRecord]) -> None:
    for record in records:
        theirs = rsshogi.record.Record.from_csa_str(format_csa(record))
        for text in (theirs.to_csa(), theirs.to_csa(version="3.0"), theirs.to_kif(), theirs.to_ki2(), theirs.to_jkf()):
            assert outcome(read_record(text)) == outcome(record)


def test_cshogi_reads_our_csa(records: list[GameRecord]) -> None:
    for record in records:
        [theirs] = cshogi.CSA.Parser.parse_str(format_csa(record))
        assert [cshogi.move_to_usi(move) for move in theirs.moves] == record.moves
        assert cshogi.Board(theirs.sfen).sfen() == record.initial_sfen
        assert (theirs.names, theirs.endgame) == (list(record.names), f"%{record.terminal}")
        assert theirs.times == [record.times[ply + 1] for ply in range(len(record.moves) + 1)]


def test_cshogi_reads_our_kif(records: list[GameRecord]) -> None:
    read = 0
    for record in records:
        text = format_kif(record)
        if "手合割：その他" in text:            # cshogi reads no board pictures
            continue
        theirs = cshogi.KIF.Parser.parse_str(text)
        assert [cshogi.move_to_usi(move) for move in theirs.moves] == record.moves
        assert (theirs.names, theirs.sfen) == (list(record.names), record.initial_sfen)
        read += 1
    assert read > len(records) / 2


SAMPLES = {
    "even.kif": [GameRecord(            # in Shift_JIS
        moves=["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e", "6a5b", "4e3d"], names=("春野一歩", "秋山銀"),
        headers={"START_TIME": "2026/11/20(金) 14:30:00", "EVENT": "試験対局", "備考": "変化あり"},
        comments={0: "初手の前のコメント", 2: "角道が通った。\n二行目", 8: "終局"},
        times={1: 12, 2: 62, 3: 3, 4: 5, 5: 3661, 6: 0, 7: 30, 8: 10}, terminal="TORYO",
        variations={5: [GameRecord(
            Position.from_usi("startpos moves 7g7f 3c3d 8h2b+ 3a2b").sfen, moves=["7i8h"],
            comments={1: "本譜にないコメント"}, times={1: 2, 2: 0}, terminal="CHUDAN")]},
        remarks={-1: ["# ----  A game made up for the tests, with a variation  ----"], 4: ["&しおり"]})],
    "handicap.kifu": [GameRecord(       # in UTF-8, without times
        HANDICAPS["二枚落ち"], moves=["7a6b", "7g7f", "5c5d"], names=("A", "B"), terminal="CHUDAN",
        remarks={-1: ["#KIF version=2.0 encoding=UTF-8"]})],
    "problem.kif": [GameRecord(         # with a board picture
        PROBLEM, moves=["G*5b"], times={1: 0}, terminal="TSUMI", remarks={-1: ["# A mate in one"]})],
    "problem.csa": [GameRecord(         # in version 3, with exact times and all the rest in hand
        PROBLEM, moves=["G*5b"], headers={"EVENT": "一手詰"}, times={1: 0.25}, terminal="TSUMI")],
    "middle_game.csa": [GameRecord(     # whose rows have lost their last blank
        MIDDLE_GAME, moves=["G*3h"], names=("Black", "White"), terminal="CHUDAN")],
    "two_games.csa": [                  # in Shift_JIS with commas and a handicap
        GameRecord(
            moves=["7g7f", "3c3d", "8h2b+", "3a2b"], names=("春野一歩", "秋山銀"),
            headers={"EVENT": "試験対局", "START_TIME": "2026/11/20 14:30:00"},
            comments={0: "初手の前のコメント", 2: "ただのコメント", 5: "終局"}, times={1: 12, 2: 62, 3: 3, 5: 10},
            terminal="TORYO"),
        GameRecord(HANDICAPS["二枚落ち"], moves=["7a6b", "7g7f"], names=("Shitate", ""),
                   comments={0: " the second game"}, terminal="-ILLEGAL_ACTION")],
}


def test_every_sample_is_read_and_written_and_read_back(write: Write) -> None:
    assert {path.name for path in RECORDS.iterdir()} == SAMPLES.keys()
    for name, expected in SAMPLES.items():
        found = read_records(RECORDS / name)
        assert found == expected
        for record in found:
            if write is format_csa:
                record.variations.clear()
            assert outcome(read_record(write(record))) == outcome(record)


def test_who_won() -> None:
    for terminal, of_black, of_white in [
        ("TORYO", WHITE, BLACK), ("TIME_UP", WHITE, BLACK), ("ILLEGAL_MOVE", WHITE, BLACK), ("KACHI", BLACK, WHITE),
        ("+ILLEGAL_ACTION", WHITE, WHITE), ("-ILLEGAL_ACTION", BLACK, BLACK), ("SENNICHITE", None, None),
    ]:
        assert GameRecord(terminal=terminal).winner == of_black
        assert GameRecord(moves=["7g7f"], terminal=terminal).winner == of_white
    assert GameRecord(HANDICAPS["香落ち"], terminal="TORYO").winner == BLACK
    assert GameRecord().winner is None


def test_positions_of_a_record() -> None:
    record = GameRecord(moves=["7g7f", "3c3d"])
    assert [record.position(ply).moves for ply in range(3)] == [[], ["7g7f"], ["7g7f", "3c3d"]]
    assert record.position().sfen == record.position(2).sfen
    with refused(ply=3, most=2):
        record.position(3)
    with refused(text="5a5b", sfen=...):
        GameRecord(moves=["5a5b"]).position()


@pytest.mark.parametrize("notation", ["csa", "kif", "ki2", "jkf", "pgn"])
def test_what_does_not_fit_on_a_line_is_not_written(notation: str) -> None:
    for part, record in (("names", GameRecord(names=("A\nB", ""))), ("headers", GameRecord(headers={"EVENT": "A\nB"}))):
        with refused(format=notation.upper(), things=part):
            Game(record).text(notation)
        assert "A B" in Game(record).text(notation, strict=False)


def test_illegal_moves_and_unknown_ends_are_not_written(write: Write) -> None:
    with refused(sfen=..., text="7g7e"):
        write(GameRecord(moves=["7g7e"]))
    with refused(about="game", text="GAME_OVER"):
        write(GameRecord(terminal="GAME_OVER"))
