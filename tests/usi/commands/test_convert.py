"""`engine convert`: every format into every other, and the message about data that a format has no place for."""
from pathlib import Path

from click.testing import Result

from engine.records.files import read_record
from engine.records.formats import SUFFIXES
from engine.records.jkf import format_jkf
from engine.records.record import GameRecord
from tests.each import each
from tests.faults import refused
from tests.usi.commands.running import invoke
from usi.commands.records import find_games, write_game

RECORDS = Path(__file__).parents[2] / "engine" / "data" / "records"
EVEN = RECORDS / "even.kif"
# What each has no place for, of even.kif.
LOST = {".ki2": "times", ".ki2u": "times", ".csa": "variations", ".kif": "", ".kifu": "", ".jkf": "",
        ".pgn": "comments, times or headers",
        ".usi": "variations, comments, times, names or headers",
        ".sfen": "variations, comments, times, names or headers"}


def convert(*arguments: object, status: int = 0, source: str = "") -> Result:
    return invoke("convert", *arguments, status=status, given=source)


@each("first", SUFFIXES)
def test_every_format_into_every_other(tmp_path: Path, first: str) -> None:
    game, one = read_record(EVEN), tmp_path / f"one{first}"
    said = convert(EVEN, one, "--force").stderr
    assert said == (f"{one}: not all {LOST[first]} could be kept\n" if LOST[first] else "")
    for second in SUFFIXES:
        two = tmp_path / f"two{second}"
        convert(one, two, "--force")
        (again,) = find_games(two.read_bytes()).records
        assert (again.moves, again.winner) == (game.moves, game.winner), second
        losses = LOST[first] + LOST[second]
        for name in ("names", "headers", "times"):
            assert name in losses or getattr(again, name) == getattr(game, name), (second, name)
        if "comments" not in losses:
            assert again.comments == game.comments, second
        elif ".pgn" in (first, second) and "names" not in losses:   # the end's own ply alone
            last = len(game.moves)
            assert again.comments == {min(ply, last): text for ply, text in game.comments.items()}
        if "variations" not in losses:
            assert again.variations.keys() == game.variations.keys(), second
            assert again.variations[5][0].comments == game.variations[5][0].comments, second


def test_a_set_up_position_and_no_moves(tmp_path: Path) -> None:
    for suffix in SUFFIXES:
        convert(RECORDS / "problem.csa", tmp_path / f"problem{suffix}")
        again = read_record(tmp_path / f"problem{suffix}")
        assert again.initial_sfen == read_record(RECORDS / "problem.csa").initial_sfen
        convert("-", tmp_path / f"none{suffix}", source="sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
        assert read_record(tmp_path / f"none{suffix}").initial_sfen == "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"


def test_several_games(tmp_path: Path) -> None:
    games = find_games((RECORDS / "two_games.csa").read_bytes()).records
    for suffix in (".csa", ".usi", ".pgn"):
        convert(RECORDS / "two_games.csa", tmp_path / f"both{suffix}")
        again = find_games((tmp_path / f"both{suffix}").read_bytes()).records
        assert [game.moves for game in again] == [game.moves for game in games]
    refused(at=RECORDS / "two_games.csa", count=2).ended(
        convert(RECORDS / "two_games.csa", tmp_path / "one.kif", status=1))
    for suffix in (".kif", ".csa"):
        convert(RECORDS / "two_games.csa", tmp_path / f"second{suffix}", "--game", 2)
        assert find_games((tmp_path / f"second{suffix}").read_bytes()).records[0].moves == games[1].moves


def test_an_existing_file_is_replaced_only_if_that_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "game.kifu"
    path.write_text("mine")
    refused(file=path).ended(convert(EVEN, path, status=1))
    assert path.read_text() == "mine"
    convert(EVEN, path, "--force")
    assert read_record(path).names == ("春野一歩", "秋山銀")
    refused(path="game.txt", endings=list(SUFFIXES)).ended(convert(EVEN, "game.txt", status=1))


BEHIND_THE_END = GameRecord(moves=["7g7f"], variations={2: [
    GameRecord(GameRecord(moves=["7g7f"]).position().sfen, ["3c3d"])]})


@each(("game", "target", "lost"), [
    (BEHIND_THE_END, "a.pgn", "variations"), (BEHIND_THE_END, "a.csa", "variations"), (BEHIND_THE_END, "a.ki2u", ""),
    (GameRecord(moves=["7g7f"], terminal="WIN_BY_DEFAULT"), "a.csa", "results"),
    (GameRecord(moves=["7g7f"], terminal="LOSS_BY_DEFAULT"), "a.pgn", ""),
    (GameRecord(moves=["7g7f"], terminal="WIN_BY_DEFAULT"), "a.ki2u", ""),
    (GameRecord(moves=["7g7f"], times={1: 9}), "a.ki2", "times"),
    (GameRecord(moves=["7g7f"], comments={1: "a\rb"}), "a.kifu", ""),
])
def test_what_a_format_cannot_say_is_left_out_and_told(tmp_path: Path, game: GameRecord, target: str,
                                                       lost: str) -> None:
    path = tmp_path / target
    if lost:
        refused(format=SUFFIXES[path.suffix].name, things=lost).ended(
            convert("-", path, "--strict", "--force", status=1, source=format_jkf(game)))
    assert convert("-", path, "--force", source=format_jkf(game)).stderr == (
        f"{path}: not all {lost} could be kept\n" if lost else "")
    again = read_record(path)
    assert again.moves == game.moves
    if lost != "results":
        assert again.winner == game.winner


@each("typed", ["76歩 34歩", "P-7f P-3d", "1. 7六歩 2. 3四歩", "1.P7g-7f\n2.P3c-3d", "7776 3334"])
def test_moves_as_they_are_typed_in_play(tmp_path: Path, typed: str) -> None:
    assert convert("-", tmp_path / "a.kifu", "--force", source=typed).stderr == ""
    assert read_record(tmp_path / "a.kifu").moves == ["7g7f", "3c3d"]


def test_a_note_is_no_empty_game(tmp_path: Path) -> None:
    refused(about="set-up").ended(
        convert("-", tmp_path / "a.kifu", status=1, source="https://example.org/game/1\n"))
    assert not (tmp_path / "a.kifu").exists()


def test_strictly_nothing_is_left_out(tmp_path: Path) -> None:
    path, damaged = tmp_path / "game.csa", "手合割：平手\n1 ７六歩(77)\n2 ７六歩(7"
    refused(about="KIF", at=3, text="７六歩(7").ended(convert("-", path, "--strict", status=1, source=damaged))
    assert not path.exists()
    assert convert("-", path, source=damaged).stderr
    assert read_record(path).moves == ["7g7f"]


# -- Standard output and folders ---------------------------------------------------------------------------------------

@each("suffix", SUFFIXES)
def test_standard_output_gets_what_a_file_would(tmp_path: Path, suffix: str) -> None:
    convert(EVEN, tmp_path / f"game{suffix}")
    for ending in (suffix, suffix.removeprefix(".").upper()):
        done = convert(EVEN, "-", "--to", ending)
        assert done.stdout_bytes == (tmp_path / f"game{suffix}").read_bytes()
        assert done.stderr == (f"standard output: not all {LOST[suffix]} could be kept\n" if LOST[suffix] else "")


def test_a_folder_keeps_its_names_and_each_game_is_there(tmp_path: Path) -> None:
    (tmp_path / "in" / "deep").mkdir(parents=True)
    (tmp_path / "in" / "even.kif").write_bytes(EVEN.read_bytes())
    (tmp_path / "in" / "deep" / "two.csa").write_bytes((RECORDS / "two_games.csa").read_bytes())
    (tmp_path / "in" / "notes.txt").write_text("no record")
    (tmp_path / "in" / "deep" / "three.psn").write_text("P7f P3d {Resigns}")
    done = convert(tmp_path / "in", tmp_path / "out", "--to", "kifu")
    assert done.stderr == "files converted: 3; left out: 0\n"
    written = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.*")}
    assert written == {"even.kifu", "deep/two-1.kifu", "deep/two-2.kifu", "deep/three.kifu"}
    games = find_games((RECORDS / "two_games.csa").read_bytes()).records
    assert [read_record(tmp_path / f"out/deep/two-{number}.kifu").moves for number in (1, 2)] == [
        game.moves for game in games]
    convert(tmp_path / "in", tmp_path / "usi", "--to", "usi")
    assert len(find_games((tmp_path / "usi" / "deep" / "two.usi").read_bytes()).records) == 2
    again = convert(tmp_path / "in", tmp_path / "out", "--to", "kifu", status=1)
    assert f"{tmp_path / 'out' / 'even.kifu'} exists" in again.stderr
    assert "files converted: 0; left out: 3" in again.stderr
    assert "files converted: 3" in convert(tmp_path / "in", tmp_path / "out", "--to", "kifu", "--force").stderr


def test_what_cannot_be_converted_in_a_folder_is_named_and_the_rest_done(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.kif").write_text("https://example.org\n")
    (tmp_path / "in" / "b.csa").write_text("PI\n+\n+7776FU\n")
    (tmp_path / "in" / "c.kifu").write_bytes(EVEN.read_bytes())
    done = convert(tmp_path / "in", tmp_path / "out", "--to", "csa", "--strict", status=1)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["b.csa"]
    assert f"{tmp_path / 'in' / 'a.kif'}: " in done.stderr
    assert " variations " in done.stderr
    assert "files converted: 1; left out: 2" in done.stderr


def test_two_records_of_one_folder_never_become_one_file(tmp_path: Path) -> None:
    """Neither output replaces the other, even with --force, nor a record of the converted folder."""
    games = {"game.csa": ["7g7f"], "game.kifu": ["2g2f"], "Game.usi": ["5g5f"], "other.csa": ["9g9f"]}
    source, target = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    for name, moves in games.items():
        write_game(GameRecord(moves=moves), source / name)
    said = convert(source, target, "--to", "jkf", "--force", status=1).stderr
    assert f"{source / 'game.csa'} is left out: {target / 'game.jkf'}, which it would become, is taken by " in said
    assert said.endswith("files converted: 2; left out: 2\n")
    assert sorted(path.name for path in target.iterdir()) == ["Game.jkf", "other.jkf"]
    assert read_record(target / "Game.jkf").moves == games["Game.usi"]
    said = convert(source, source, "--to", "csa", "--force", status=1).stderr
    assert f"{source / 'game.kifu'} is left out: {source / 'game.csa'}" in said
    assert {name: read_record(source / name).moves for name in games} == games


def test_one_file_into_a_folder_that_is_there(tmp_path: Path) -> None:
    convert(EVEN, tmp_path, "--to", "jkf")
    convert("-", tmp_path, "--to", ".usi", source="76歩")
    assert {path.name for path in tmp_path.iterdir()} == {"even.jkf", "game.usi"}


@each(("arguments", "complaint"), [
    ((EVEN, "-"), "a folder and standard output need --to"), ((RECORDS, "out"), "a folder and standard output need"),
    ((EVEN, "a.kif", "--to", "kif"), "--to is for a folder or standard output"),
    ((EVEN, "-", "--to", "sgf"), "--to sgf is no ending of records; they are .kif, .kifu, "),
    ((RECORDS, "out", "--to", "kif", "--game", "2"), "--game chooses a game of one file"),
])
def test_what_does_not_go_together(arguments: tuple[object, ...], complaint: str) -> None:
    assert complaint in " ".join(convert(*arguments, status=2).stderr.split())
