"""Training positions from books and records."""
import lzma
import shlex
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from engine import Position
from engine.packed import unpacked, usi
from engine.records.files import read_records
from scripts import label as label_module
from scripts.games.matches import Match, run
from scripts.games.played import GAMES, PlayedGame
from scripts.games.search_player import SearchPlayer
from scripts.games.standings import Standings
from scripts.training.files import read
from scripts.training.samples import MAX_SCORE, Records, black_results, game_numbers
from scripts.training.valuers import Labels
from scripts.training.valuing import FIRST_DRAWN, BookPosition, Drawing, Labeller, RecordedGame, book, draw, label
from search import MATERIAL, Limits, Searcher, Settings
from tests.eval.learning import training
from tests.faults import refused
from tests.scripts.commands import invoke
from usi.files.journal import Journal
from usi.files.locking import Locked, alone

STUB = Path(__file__).parents[1] / "stub_engine.py"
RECORDS = Path(__file__).parents[2] / "engine" / "data" / "records"
AFTER = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3"
BOOK = f"""#YANEURAOU-DB2016 1.00
sfen {Position().sfen}
2g2f none 44 0 0
7g7f 3c3d -13 0 0
sfen {AFTER}
2g2f 8c8d 5 20 1
"""


@pytest.fixture(scope="module")
def labeller() -> Labeller:
    return Labeller(Labels(Limits(depth=1)))


def positions(found: Records) -> list[str]:
    return [unpacked(bits.tobytes()).sfen.rsplit(" ", 1)[0] for bits in found["sfen"]]


def after(sfen: str, *moves: str) -> str:
    position = Position(sfen)
    for move in moves:
        position.push(move)
    return position.sfen.rsplit(" ", 1)[0]


@pytest.mark.parametrize("name", ["book.db", "book.db.xz"])
def test_a_book_is_read_entry_by_entry(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(lzma.compress(BOOK.encode()) if name.endswith("xz") else BOOK.encode())
    assert list(book(path)) == [BookPosition(Position().sfen, {"2g2f": 44, "7g7f": -13}),
                                BookPosition(AFTER, {"2g2f": 5})]


def test_a_book_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """Other faults of books are tested in tests/usi/book/test_db.py."""
    path = tmp_path / "book.db"
    path.write_text(BOOK + "nonsense here\n")
    with refused(at=f"{path}:7", line="'nonsense here'"):
        list(book(path))


@pytest.mark.parametrize("cut", [False, True])
def test_a_compressed_book_that_is_damaged_is_named(cut: bool, tmp_path: Path) -> None:
    path = tmp_path / "book.db.xz"
    packed = bytearray(lzma.compress(BOOK.encode()))
    packed[-30] ^= 1
    path.write_bytes(packed[:-40] if cut else packed)
    with refused(path=path, fault=...):
        list(book(path))


def test_an_entry_gives_the_positions_after_its_moves(labeller: Labeller) -> None:
    found = labeller.of_entry(BookPosition(Position().sfen, {"2g2f": 44, "7g7f": -13}))
    assert positions(found) == [after(Position().sfen, "2g2f"), after(Position().sfen, "7g7f")]
    assert found["score"].tolist() == [-44, 13]
    scaled = Labeller(Labels(Limits(depth=1), book_scale=0.75))     # whose book has another unit
    assert scaled.of_entry(BookPosition(Position().sfen, {"2g2f": 44, "7g7f": -12}))["score"].tolist() == [-33, 9]
    assert not found["game_result"].any()
    assert not len(labeller.of_entry(BookPosition("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", {"G*5b": 31000}))), "it mates"
    for record in found:
        assert unpacked(record["sfen"].tobytes()).is_legal(usi(int(record["move"])))


def test_a_game_gives_its_positions_with_its_result(labeller: Labeller) -> None:
    line = RecordedGame(Position().sfen, ["7g7f", "3c3d"], 0)
    found = labeller.of_line(line)
    assert positions(found) == [after(Position().sfen, *line.moves[:n]) for n in range(3)]
    assert found["game_result"].tolist() == [1, -1, 1]
    assert found["gamePly"].tolist() == [1, 2, 3]


def test_books_and_records_fill_one_file_once(tmp_path: Path) -> None:
    path, out = tmp_path / "book.db", tmp_path / "all.psv"
    path.write_text(BOOK)
    games = [RECORDS / "even.kif", RECORDS / "two_games.csa"]
    met, new = label([path, *games], out, Labels(Limits(depth=1)), 2)
    found = read(out)
    assert new == len(found) == len(set(positions(found))) < met
    records = [record for game in games for record in read_records(game)]
    expected = {after(record.initial_sfen, *record.moves[:n])
                for record in records for n in range(len(record.moves) + 1)}
    assert set(positions(found)) >= {sfen for sfen in expected if Position(sfen).legal_moves()}
    assert label([path, *games], out, Labels(Limits(depth=1)), 1) == (met, 0)


def test_the_command(tmp_path: Path) -> None:
    def run(*arguments: object, status: int = 0) -> str:
        return invoke(label_module, "--out", tmp_path / "all.hcpe", "--depth", 1, "--eval-file", "material", *arguments,
                      status=status).output
    assert run(RECORDS / "even.kif").endswith("of them new\n")
    assert len(read(tmp_path / "all.hcpe"))
    broken = tmp_path / "broken.csa"
    broken.write_text("V2.2\nPI\n+\n+7775FU\n")
    complaint = run(broken, status=1)
    assert complaint.startswith(f"Error: {broken}: ")
    assert "line 4" in complaint
    assert complaint.count("\n") == 1


def test_positions_of_a_training_file_get_new_values(played: Path, tmp_path: Path) -> None:
    given, out = read(played)[:30], tmp_path / "new.psv"
    given = given[np.unique(given["sfen"], axis=0, return_index=True)[1]]
    source = tmp_path / "old.psv"
    source.write_bytes(given.tobytes())
    labels = Labels(Limits(depth=2))
    assert label([source], out, labels, 1) == (len(given), len(given))
    found = read(out)
    for name in ("sfen", "gamePly", "game_result"):
        assert (found[name] == given[name]).all()
    searcher = Searcher(16, evaluator=MATERIAL)
    for record in found:
        searcher.clear()
        result = searcher.search(unpacked(record["sfen"].tobytes()), Limits(depth=2), Settings())
        assert (record["score"], usi(int(record["move"]))) == (result.score, result.bestmove)
    assert label([source], out, labels, 1) == (0, 0)    # nothing is searched again


def test_a_faulty_record_is_located(played: Path, tmp_path: Path) -> None:
    path, out = tmp_path / "faulty.psv", tmp_path / "new.psv"

    def complaint(records: Records, *options: object) -> str:
        path.write_bytes(records.tobytes())
        output = invoke(label_module, "--out", out, "--depth", 1, *options, path, status=1).output
        assert not out.exists()         # nothing is left of a run that came to nothing
        return output

    records = read(played)[:50].copy()
    for options in ((), ("--draw", 3)):
        records["sfen"][7] = 255
        assert complaint(records, *options).startswith(f"Error: {path}: record 7 holds ffff")
    records[:] = training.record(Position("4k4/9/9/9/4r4/9/9/9/4K4 b - 1"))
    records["sfen"][0, 0] ^= 1          # the other side to move
    assert complaint(records[:1]).startswith(f"Error: {path}, record 0: '4k4/")


def test_a_book_or_match_with_an_illegal_move_is_named(tmp_path: Path) -> None:
    book, games = tmp_path / "book.db", tmp_path / "match.jsonl"
    book.write_text(BOOK.replace("2g2f none", "2g2e none"))
    with closing(Journal(games, GAMES, {})) as kept:
        kept.add(0, PlayedGame(None, "mate", "startpos moves 7g7f", 0))
        kept.add(1, PlayedGame(None, "mate", "startpos moves 7g7e", 0))
    for arguments, place in ((["--depth", 1, book], f"{book}: "), (["--depth", 1, games], f"{games}, game 2: "),
                             (["--played", games], f"{games}, game 2: ")):
        output = invoke(label_module, "--out", tmp_path / "new.psv", *arguments, status=1).output
        assert output.startswith(f"Error: {place}'")


def test_one_run_at_a_time_writes_a_file(tmp_path: Path) -> None:
    out, match = tmp_path / "all.psv", tmp_path / "match.jsonl"
    with alone(out):
        for arguments in (["--depth", 1, RECORDS / "even.kif"], ["--played", match]):
            refused(Locked, path=out).ended(invoke(label_module, "--out", out, *arguments, status=1))


def test_quiet_positions_are_drawn_from_different_games(played: Path, tmp_path: Path) -> None:
    given, out = read(played), tmp_path / "drawn.psv"
    assert label([played], out, Labels(Limits(depth=1)), 1, Drawing(7, seed=3)) == (7, 7)
    found = read(out)
    games = game_numbers(given)
    chosen = draw(given, Drawing(7, seed=3))
    assert (found["sfen"] == given["sfen"][chosen]).all()
    assert len(set(games[chosen].tolist())) == 7
    for index in chosen:
        position = unpacked(given["sfen"][index].tobytes())
        target = usi(int(given["move"][index]))[2:4]
        assert not position.in_check
        assert position.piece_at(target) == 0
    assert label([played], tmp_path / "again.psv", Labels(Limits(depth=1)), 1, Drawing(7, seed=3)) == (7, 7)
    assert (tmp_path / "again.psv").read_bytes() == out.read_bytes()


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Standings]:
    """The file of a match of two games, and its standings."""
    games = tmp_path_factory.mktemp("match") / "match.jsonl"
    players = tuple(SearchPlayer(nodes=nodes, hash_mb=1) for nodes in (50, 60))
    return games, list(run(Match(players, ["startpos moves 7g7f 3c3d"]), 2, out=games))[-1]


def test_the_games_of_a_match_are_valued_by_another_engine(tmp_path: Path, match: tuple[Path, Standings]) -> None:
    (games, standings), out = match, tmp_path / "outside.psv"
    results = [game.winner for game in standings.games.values()]
    engine = shlex.join([sys.executable, str(STUB), "plays"])
    invoke(label_module, "--out", out, "--depth", 3, "--draw", 6, "--per-game", 3, "--engine", engine, games)
    found = read(out)
    assert len(found) == 6
    assert (found["gamePly"] >= FIRST_DRAWN).all()
    assert not found["score"].any()         # it gives 10 centipawns for each move that it is sent
    sides = np.where(found["sfen"][:, 0] & 1, -1, 1)
    assert {*(sides * found["game_result"]).tolist()} <= {0 if winner is None else 1 - 2 * winner for winner in results}
    silent = shlex.join([sys.executable, str(STUB), "ends"])
    for given, name in ((silent, Path(sys.executable).name), (str(tmp_path / "absent"), "absent")):
        refused(name=name, fault=...).ended(
            invoke(label_module, "--out", tmp_path / "none.psv", "--depth", 3, "--engine", given, games, status=1))
    assert not (tmp_path / "none.psv").exists()


def test_a_match_gives_its_players_scores(tmp_path: Path, match: tuple[Path, Standings]) -> None:
    (games, standings), out = match, tmp_path / "played.psv"
    first, second = standings.games[0], standings.games[1]
    met = first.plies + second.plies
    said = invoke(label_module, "--out", out, "--played", games).output
    found = read(out)
    assert said.endswith(f"{met} positions, {len(found)} of them new\n")
    assert invoke(label_module, "--out", out, "--played", games).output.endswith(f"{met} positions, 0 of them new\n")
    assert first.plies < len(found) < met           # both games have the position after the opening, at least
    part = found[:first.plies]
    assert part["gamePly"].tolist() == list(range(3, 3 + first.plies))
    assert part["score"].tolist() == [max(-MAX_SCORE, min(MAX_SCORE, score or 0)) for _, score, *_ in first.thoughts]
    assert [usi(int(move)) for move in part["move"]] == first.moves[2:]
    assert (black_results(part) == (0 if first.winner is None else 1 - 2 * first.winner)).all()


@pytest.mark.parametrize(("arguments", "complaint"), [
    (["--played", RECORDS / "even.kif"], "even.kif: --played takes the games of matches, files named *.jsonl"),
    (["--played", "--depth", 1, "match.jsonl"], "give one of --depth, --nodes and --played"),
    (["match.jsonl"], "give one of --depth, --nodes and --played"),
    (["--played", "--draw", 1, "match.jsonl"], "leave out --draw and --engine"),
    (["--played", "--engine", "other", "match.jsonl"], "leave out --draw and --engine"),
])
def test_what_does_not_go_with_played_scores(tmp_path: Path, arguments: list[object], complaint: str) -> None:
    status = 1 if "even.kif" in complaint else 2
    assert complaint in invoke(label_module, "--out", tmp_path / "out.psv", *arguments, status=status).output


def test_scores_follow_the_weights(tmp_path: Path, weights: Path) -> None:
    def scores(evaluation: str) -> list[int]:
        out = tmp_path / f"{len(list(tmp_path.iterdir()))}.psv"
        label([RECORDS / "even.kif"], out, Labels(Limits(depth=1), evaluation), 1)
        return [int(score) for score in read(out)["score"]]
    assert scores("material") != scores(str(weights))
    with pytest.raises(FileNotFoundError, match="absent"):
        scores(str(tmp_path / "absent"))
