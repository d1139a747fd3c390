"""`engine analyze` of several files and folders: every game, a table of the players, pages and an index."""
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest
from click.testing import Result

from engine.records.csa import format_csa
from engine.records.kif import format_kif
from engine.records.record import GameRecord
from tests.usi.commands.running import invoke
from usi.commands.analyze import command
from usi.commands.analyze.many import Names
from usi.commands.records import files_of
from usi.console.errors import INTERRUPTED
from usi.files.writing import write_file
from usi.words.wording import MARKS

BLUNDER = ["7g7f", "3c3d", "2g2f", "8c8d", "8h3c+", "2b3c", "2f2e", "4a3b"]     # Black gives its bishop away
QUIET = ["7g7f", "3c3d", "2g2f", "8c8d"]
QUICK = ("--nodes", "1500", "--hash", "1", "--eval-file", "material", "--mate-nodes", "0")


def analyze(*arguments: object, status: int = 0) -> Result:
    return invoke("analyze", *QUICK, *arguments, status=status)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two games of Alice's in one file, one of Bob's, and a file that is no record."""
    games = tmp_path / "games"
    (games / "deeper").mkdir(parents=True)
    (games / "two.csa").write_text(format_csa(
        GameRecord(moves=BLUNDER, names=("Alice", "Bob"), terminal="TORYO"),
        GameRecord(moves=QUIET, names=("Carol <i>", " Alice"))), encoding="utf-8")
    (games / "deeper" / "one.kifu").write_text(
        format_kif(GameRecord(moves=QUIET, names=("Bob", ""))), encoding="utf-8")
    (games / "notes.txt").write_text("nothing")
    return games


def names_in(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_each_game_is_analysed_as_if_alone_and_players_are_summed_up(folder: Path) -> None:
    found = json.loads(analyze(folder, "--json").stdout)
    assert [Path(game.pop("file")).name for game in found["games"]] == ["one.kifu", "two.csa 1", "two.csa 2"]
    alone = [json.loads(analyze(folder / path, "--game", number, "--json").stdout)
             for path, number in (("deeper/one.kifu", 1), ("two.csa", 1), ("two.csa", 2))]
    timeless = [re.sub(r'"time_ms": \d+', "", json.dumps(games)) for games in (found["games"], alone)]
    assert timeless[0] == timeless[1]

    losses: dict[str, list[float]] = {}
    marks: dict[str, Counter[str]] = {}
    for game in found["games"]:
        for position in game["positions"][1:]:
            side = (position["ply"] + 1) % 2
            name = " ".join(game["names"][side].split())
            if not name:
                continue
            losses.setdefault(name, []).append(position["lost_expected"])
            marks.setdefault(name, Counter()).update([position["mark"]] if position["mark"] else [])
    assert {player["name"] for player in found["players"]} == losses.keys() == {"Alice", "Bob", "Carol <i>"}
    for player in found["players"]:
        assert player["moves"] == len(losses[player["name"]])
        assert player["lost_expected"] == pytest.approx(sum(losses[player["name"]]) / player["moves"], abs=2e-4)
        assert player["marks"] == {mark.symbol: marks[player["name"]][mark.symbol] for mark in MARKS}
    by_name = {player["name"]: player for player in found["players"]}
    assert [(by_name[name]["games"], by_name[name]["won"]) for name in ("Alice", "Bob")] == [(2, 0), (2, 1)]
    means = [player["lost_expected"] for player in found["players"]]
    assert means == sorted(means)
    assert by_name["Alice"]["marks"]["??"] == 1


def test_the_table_comes_last_and_has_a_row_a_player(folder: Path) -> None:
    lines = analyze(folder).stdout.splitlines()
    assert sum(bool(re.match(r"\d/3 ", line)) for line in lines) == 3
    assert "8h3c+" in "".join(lines) or "３三角成" in "".join(lines)
    head, *rows = lines[-4:]
    assert head.split()[:3] == ["player", "games", "won"]
    assert {row.split("  ")[0].strip() for row in rows} == {"Alice", "Bob", "Carol <i>"}


def test_pages_are_linked_from_an_index(folder: Path, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    analyze(folder, "--html", pages)
    index = (pages / "index.html").read_text(encoding="utf-8")
    found = re.search(r'type="application/json">(.*?)</script>', index, re.DOTALL)
    assert found
    data = json.loads(found[1])
    links = [game["page"] for game in data["games"]]
    assert links == ["deeper/one.kifu.html", "two.csa.html", "two.csa-2.html"]
    assert {pages / link for link in (*links, "index.html")} == {path for path in pages.rglob("*") if path.is_file()}
    assert [player["name"] for player in data["players"]].count("Alice") == 1
    assert [game["end"] and game["end"]["terminal"] for game in data["games"]] == [None, "TORYO", None]
    middle = re.search(r'"links":({.*?})', (pages / links[1]).read_text(encoding="utf-8"))
    assert middle
    assert json.loads(middle[1]) == {"index": "index.html", "previous": links[0], "next": links[2]}
    first = re.search(r'"links":({.*?})', (pages / links[0]).read_text(encoding="utf-8"))
    assert first
    assert json.loads(first[1]) == {"index": "../index.html", "previous": None, "next": f"../{links[1]}"}
    for link, title in zip(links, ("Bob", "Alice", "Carol &lt;i&gt;"), strict=True):
        assert f"<title>{title} – " in (pages / link).read_text(encoding="utf-8")
    assert "Carol \\u003ci>" in index
    assert "<i>" not in index
    assert not re.search(r"%[A-Z]+%|%[a-z]+\.[a-z]+%", index)


def test_files_that_cannot_be_read_are_named_and_the_others_analysed(folder: Path, tmp_path: Path) -> None:
    (folder / "broken.kif").write_text("nothing to see")
    done = analyze(folder / "two.csa", folder / "broken.kif", tmp_path / "absent.kif", "--game", 2, status=1)
    assert re.search(r"left out: .*broken\.kif: this is no record", done.stderr)
    assert re.search(r"left out: .*absent\.kif: .*there is no such file", done.stderr)
    assert "1/1 " in done.stdout
    assert "Carol" in done.stdout
    assert "there is no game to analyse" in analyze(tmp_path / "games" / "deeper", "--from", 5, status=1).stderr


def test_each_game_has_a_journal_and_it_is_refused_once_the_file_has_another_game(folder: Path, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    first = analyze(folder, "--json", "--journal", journal).stdout
    assert names_in(journal) == ["deeper/one.kifu.jsonl", "two.csa-2.jsonl", "two.csa.jsonl"]
    assert analyze(folder, "--json", "--journal", journal).stdout == first      # with the times of the first run
    other = GameRecord(moves=BLUNDER, names=("Bob", ""))
    (folder / "deeper" / "one.kifu").write_text(format_kif(other), encoding="utf-8")
    done = analyze(folder, "--journal", journal, status=1)
    assert re.search(r"left out: .*one\.kifu: .*one\.kifu\.jsonl holds positions .* differs in game", done.stderr)
    assert "3/3 " in done.stdout


@pytest.mark.parametrize("option", ["--save", "--picture"])
def test_what_is_for_one_game_is_refused(folder: Path, tmp_path: Path, option: str) -> None:
    assert f"{option} takes one game" in analyze(folder, option, tmp_path / "out.kif", status=2).stderr


def test_an_interrupt_leaves_the_games_that_are_whole(folder: Path, tmp_path: Path,
                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted = Event()

    @contextmanager
    def interrupts(*_searches: object) -> Iterator[Event]:
        yield interrupted

    def write_and_interrupt(path: Path, data: bytes) -> None:
        write_file(path, data)
        interrupted.set()

    monkeypatch.setattr(command, "interrupts", interrupts)
    monkeypatch.setattr(command, "write_file", write_and_interrupt)
    done = analyze(folder, "--html", tmp_path / "pages", status=INTERRUPTED)
    assert "interrupted; games done: 1 of 3" in done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()[-2:]] == ["player", "Bob"]
    assert names_in(tmp_path / "pages") == ["deeper/one.kifu.html", "index.html"]
    assert "two.csa" not in (tmp_path / "pages" / "index.html").read_text(encoding="utf-8")


# -- Files about games keep their names --------------------------------------------------------------------------------

def test_a_game_that_sorts_first_changes_no_name_and_no_result(folder: Path, tmp_path: Path) -> None:
    pages, journal = tmp_path / "pages", tmp_path / "journal"
    options = ("--json", "--journal", journal, "--html", pages)
    first = json.loads(analyze(folder, *options).stdout)["games"]
    (folder / "a 1#%.kif").write_text(format_kif(GameRecord(moves=QUIET, names=("Zoe", "Bob"))), encoding="utf-8")
    again = json.loads(analyze(folder, *options).stdout)["games"]
    assert again[1:] == first
    assert names_in(pages) == ["a 1#%.kif.html", "deeper/one.kifu.html", "index.html", "two.csa-2.html", "two.csa.html"]
    assert '"page":"a%201%23%25.kif.html"' in (pages / "index.html").read_text(encoding="utf-8")


def test_what_is_about_a_file_that_is_gone_is_named_and_left(folder: Path, tmp_path: Path) -> None:
    pages, journal = tmp_path / "pages", tmp_path / "journal"
    assert "left over" not in analyze(folder, "--html", pages, "--journal", journal).stderr
    (folder / "deeper" / "one.kifu").unlink()
    (pages / "mine.html").write_text("<p>mine")
    (folder / "broken.kif").write_text("nothing to see")
    done = analyze(folder, "--game", 1, "--html", pages, "--journal", journal, status=1)
    assert re.findall(r"(\S+) is left over", done.stderr) == [
        str(pages / "deeper" / "one.kifu.html"), str(journal / "deeper" / "one.kifu.jsonl")]
    assert (pages / "deeper" / "one.kifu.html").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes")
def test_a_pipe_in_the_folder_is_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "pipe.kif")
    (folder / "gone.kif").symlink_to(folder / "nowhere")
    (folder / "sub.kif").mkdir()
    named = list(files_of((folder,)))
    assert [path.name for path in named if "pipe" in path.name or "sub" in path.name] == []
    assert folder / "gone.kif" in named


def test_names_for_files_about_games(tmp_path: Path) -> None:
    names = Names()
    assert names.of(Path("a/b/game.kif"), Path("a"), 1) == "b/game.kif"
    assert names.of(Path("c/GAME.kif"), None, 1) == "GAME.kif"
    assert re.fullmatch("game.kif-[0-9a-f]{8}", names.of(Path("d/game.kif"), None, 1))
    assert names.of(Path("d/game.kif"), None, 2) == "game.kif-2"
    assert re.fullmatch("index-[0-9a-f]{8}", names.of(Path("index"), None, 1))
    long = [names.of(Path(f"{'棋' * 80}{number}.kif"), None, 1) for number in range(2)]
    assert len(set(long)) == 2
    assert all(len(name.encode()) < 200 for name in long)
    assert [names.is_of_other(name) for name in ("b/game.kif", "GAME.kif-7", "game.csa")] == [False, False, True]


def test_standard_input_beside_other_files(folder: Path, tmp_path: Path) -> None:
    done = invoke("analyze", *QUICK, "-", folder / "two.csa", "--json", "--html", tmp_path / "pages",
                  given=format_csa(GameRecord(moves=QUIET, names=("Dan", "Alice"))))
    found = json.loads(done.stdout)
    assert [Path(game["file"]).name for game in found["games"]] == ["-", "two.csa 1", "two.csa 2"]
    assert "Dan" in {player["name"] for player in found["players"]}
    assert (tmp_path / "pages" / "stdin.html").exists()


def test_a_file_where_the_folder_of_pages_is_to_be(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "f.html").write_text("mine")
    for option in ("--html", "--journal"):
        assert analyze(folder, option, tmp_path / "f.html", status=1).stderr == (
            f"Error: '{tmp_path / 'f.html'}': this is a file where a folder is needed; name another, or move the file "
            "away\n")
    assert (tmp_path / "f.html").read_text() == "mine"
