"""The server's parts under concurrent requests: looks, journals, games, and their faults."""
import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from engine.errors import UserError
from engine.records.record import GameRecord
from search.searcher import SearchHandle
from tests.each import each
from tests.faults import refused
from tests.usi.commands.running import invoke
from tests.usi.serve.serving import is_busy
from usi.commands.analyze.analysis import Assessment, Candidate, kept
from usi.files.journal import Journal
from usi.files.locking import Locked
from usi.serve import looking, playing
from usi.serve.desk import STOP_AGAIN_S, Desk, Engine, Rank, in_deep_thread
from usi.serve.lessons import games
from usi.serve.looking import Looks, deeper, whole_game
from usi.serve.memory import Memory
from usi.serve.playing import Wanted
from usi.serve.service import Service
from usi.serve.studies import Collection, Study
from usi.serve.tab import Tab
from usi.serve.trees import Variation

GAME = "startpos moves 7g7f 3c3d 2g2f 8c8d"


class Searches:
    """A searcher that counts how often it was stopped."""

    def __init__(self) -> None:
        self.stops = 0

    def start(self, *_given: object) -> SearchHandle:
        return cast(SearchHandle, None)

    def stop(self) -> None:
        self.stops += 1


def engine_of(searches: Searches) -> Engine:
    quiet = Searches()
    return Engine(cast(Any, searches), cast(Any, quiet), cast(Any, quiet))


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "a.usi").write_text(f"{GAME}\n")
    found = Collection(folder, Memory(tmp_path / "memory"), "test")
    yield found
    for study in (*found._studies.values(), *games(found)):
        study.close()


@pytest.fixture
def service(tmp_path: Path) -> Service:
    (tmp_path / "memory").mkdir()
    return Service(lambda: engine_of(Searches()), Memory(tmp_path / "memory"), tmp_path / "games", "test", 0)


def look(study: Study, ply: int, number: int = 0) -> Assessment:
    position = study.record.position(ply)
    return Assessment(ply, position.sfen, position.turn, 10, 1, 1, 1000, 10, (), look=number)


def test_nothing_is_stopped_after_the_turn(tmp_path: Path) -> None:
    """Two better ranks ask a background search for its turn, one after the other."""
    searches = Searches()
    desk = Desk(lambda: engine_of(searches))
    study = cast(Study, SimpleNamespace(record=GameRecord()))
    looks = Looks(desk, study, Rank.BACKGROUND)

    def work(_engine: Engine) -> Assessment:
        before = searches.stops
        while not is_free and searches.stops == before:
            time.sleep(.001)
        time.sleep(STOP_AGAIN_S / 5)
        return look(study, 0)

    async def other(rank: Rank) -> None:
        async with desk.turn(rank):
            pass

    async def all_of_it() -> int:
        background = asyncio.ensure_future(looks._undisturbed(work))
        while not is_busy(desk):
            await asyncio.sleep(.001)
        await asyncio.gather(other(Rank.PLAY), other(Rank.ANSWER))
        is_free.append(True)
        assert (await background).ply == 0
        stops = searches.stops
        await asyncio.sleep(4 * STOP_AGAIN_S)
        return searches.stops - stops

    is_free: list[bool] = []
    assert asyncio.run(all_of_it()) == 0
    assert searches.stops >= 2


def test_who_waits_has_its_turn_although_the_other_fails_to_give_way(caplog: pytest.LogCaptureFixture) -> None:
    def fails() -> None:
        raise ZeroDivisionError

    async def all_of_it() -> list[Rank]:
        desk, had = Desk(lambda: engine_of(Searches())), list[Rank]()

        async def other(rank: Rank) -> None:
            async with desk.turn(rank):
                had.append(rank)

        async with desk.turn(Rank.LIVE, fails):
            waiting = asyncio.ensure_future(other(Rank.PLAY))
            while not caplog.records:
                await asyncio.sleep(.001)
            assert not had
        await waiting
        await other(Rank.BACKGROUND)
        assert not is_busy(desk)
        return had

    assert asyncio.run(all_of_it()) == [Rank.PLAY, Rank.BACKGROUND]
    assert "ZeroDivisionError" in caplog.text


def test_the_engine_is_free_only_when_the_work_has_ended() -> None:
    """The work has ended when the wait for it ends, however often it is cancelled, and whatever stopping it raises."""
    stops: list[int] = []

    def stop() -> None:
        stops.append(1)
        if len(stops) == 1:
            raise ZeroDivisionError

    def work() -> str:
        while len(stops) < 3:
            time.sleep(.001)
        ended.append(True)
        return "done"

    async def all_of_it() -> None:
        task = asyncio.ensure_future(in_deep_thread(work, stop))
        await asyncio.sleep(.01)
        task.cancel()
        while not stops:
            await asyncio.sleep(.001)
        task.cancel()
        with pytest.raises(ZeroDivisionError):
            await task
        assert ended

    ended: list[bool] = []
    asyncio.run(all_of_it())


def test_all_searches_are_stopped_although_one_fails_to() -> None:
    class Fails(Searches):
        def stop(self) -> None:
            super().stop()
            raise ZeroDivisionError

    player, analyst, solver = Fails(), Fails(), Searches()
    with pytest.raises(ZeroDivisionError):
        Engine(cast(Any, player), cast(Any, analyst), cast(Any, solver)).stop()
    assert (player.stops, analyst.stops, solver.stops) == (1, 1, 1)


def test_one_file_of_looks_for_all_studies_of_a_game(collection: Collection) -> None:
    one = collection.open_file("a.usi")[0]
    for ply in range(3):
        one.keep(look(one, ply))
    assert collection.open_file("a.usi")[0] is one
    (survey,) = games(collection)
    other = collection.begin(one.record)                # the same game under another name
    assert len(survey.analysis.looks) == len(other.analysis.looks) == 3
    other.keep(look(other, 3))
    survey.close()
    one.keep(look(one, 3))
    one.keep(look(one, 4))
    other.close()
    (found,) = collection.read("a.usi")
    assert len(found.analysis.looks) == 5


def test_what_was_looked_at_elsewhere_is_there_when_a_file_is_opened_again(collection: Collection) -> None:
    one = collection.open_file("a.usi")[0]
    (survey,) = games(collection)
    survey.keep(look(survey, 0))
    assert collection.open_file("a.usi")[0] is one
    assert len(one.analysis.looks) == 1


def test_a_file_that_is_opened_again_is_as_it_is_on_the_disk(collection: Collection) -> None:
    one = collection.open_file("a.usi")[0]
    collection.change(one, ("7g7f",), ())
    assert collection.open_file("a.usi")[0].record.moves == GAME.split()[2:]


def test_a_locked_file_of_looks_stays(collection: Collection) -> None:
    study = collection.open_file("a.usi")[0]
    writer = Journal(study.journal, kept(study.record), study.conditions)
    writer.add((0, 0), look(study, 0))
    before = study.journal.read_bytes()
    with refused(Locked, path=study.journal):
        study.keep(look(study, 0))
    assert study.journal.read_bytes() == before
    writer.close()


def test_a_damaged_file_of_looks_is_begun_anew(collection: Collection) -> None:
    study = collection.open_file("a.usi")[0]
    study.journal.parent.mkdir(parents=True)
    study.journal.write_text("no journal\n")
    study.keep(look(study, 0))
    study.close()
    assert len(collection.read("a.usi")[0].analysis.looks) == 1


@pytest.fixture
def guarded(collection: Collection) -> Collection:
    """Beside the record are a text and a link to a record elsewhere."""
    out = collection.folder.parent / "out.usi"
    out.write_text(GAME)
    (collection.folder / "inner.usi").mkdir()
    (collection.folder / "link.usi").symlink_to(out)
    (collection.folder / "notes.txt").write_text(GAME)
    return collection


@each("name", ["", ".", "..", "../out.usi", "inner.usi/../../out.usi", "link.usi", "notes.txt", "inner.usi", "a\0.usi",
               "x" * 5000 + ".usi", "gone.usi"])
def test_only_records_of_the_folder_are_read(guarded: Collection, name: str) -> None:
    for wanted in (name, str(guarded.folder.parent / "out.usi")):
        with refused(about="folder", file=wanted):
            guarded.read(wanted)


def test_the_record_of_the_command_line_may_have_any_name(collection: Collection) -> None:
    (collection.folder / "notes.txt").write_text(GAME)
    named = Collection(collection.folder, Memory(collection.folder), "test", "notes.txt")
    assert named.open_file("notes.txt")[0].record.moves == GAME.split()[2:]


def test_the_folder_is_listed_once_for_all_its_games(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        (collection.folder / f"{number}.usi").write_text(GAME)
    listings, files = [], collection.files
    monkeypatch.setattr(collection, "files", lambda: listings.append(1) or files())     # type: ignore[func-returns-value]
    assert len(list(games(collection))) == 6
    assert len(listings) == 1


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks that take no time, and no further ones."""
    def analysed(record: GameRecord, plies: list[int], *_given: object, **_options: object) -> Iterator[Assessment]:
        return (look(cast(Study, SimpleNamespace(record=record)), ply) for ply in plies)

    monkeypatch.setattr(looking, "analyse", analysed)
    monkeypatch.setattr(looking, "look_again", lambda *_given: iter(()))
    monkeypatch.setattr(looking, "searched", lambda position, ply, *_given: Assessment(
        ply, position.sfen, position.turn, 10, 1, 1, 1000, 10, ()))


def looked(work: Callable[..., Any], study: Study, given: int, changes: Callable[[], None]) -> list[dict[str, Any]]:
    """The reports of a look at a game which is changed after the first position."""
    reports: list[dict[str, Any]] = []

    def report(message: dict[str, Any]) -> None:
        reports.append(message)
        if message["event"] == "nodes" and sum(one["event"] == "nodes" for one in reports) == 1:
            changes()

    asyncio.run(work(Desk(lambda: engine_of(Searches())), study, given, report))
    return reports


@pytest.mark.parametrize(("work", "given"), [(whole_game, 100), (deeper, 4)])
def test_a_variation_does_not_end_an_analysis(collection: Collection, quick: None, work: Callable[..., Any],
                                              given: int) -> None:
    study = collection.open_file("a.usi")[0]
    moves = tuple(study.record.moves)
    reports = looked(work, study, given, lambda: collection.change(study, moves, (Variation(2, ("8c8d",), {}),)))
    assert study.record.variations
    assert len(study.analysis.looks) == len(moves) + 1
    assert reports[-1].get("over")


@pytest.mark.parametrize(("work", "given"), [(whole_game, 100), (deeper, 4)])
def test_another_game_ends_an_analysis_which_says_so(collection: Collection, quick: None, work: Callable[..., Any],
                                                     given: int) -> None:
    study = collection.open_file("a.usi")[0]
    reports = looked(work, study, given, lambda: collection.change(study, ("2g2f", "3c3d"), ()))
    assert not study.analysis.looks
    assert reports[-1] == {"event": "progress", "study": study.id, "over": True}
    assert sum(bool(one.get("over")) for one in reports) == 1


def test_a_deeper_look_says_how_long_it_takes(collection: Collection, quick: None) -> None:
    """Both positions have ten times their last look's time; one that is over has none."""
    study = collection.open_file("a.usi")[0]
    reports: list[dict[str, Any]] = []
    for ply, line in enumerate(("7g7f", "3c3d", "2g2f")):
        study.keep(replace(look(study, ply), time_ms=200 * (ply + 1), candidates=(Candidate(10, (line,)),)))
    for given in (2, 3):
        asyncio.run(deeper(Desk(lambda: engine_of(Searches())), study, given, reports.append))
    told = [(one["deeper"], one.get("part"), one.get("left")) for one in reports if "deeper" in one]
    # `quick` finds no line: then no deeper look can change anything.
    assert told == [(2, 0, 10.0), (2, 1, 6.0), (3, None, None), (3, 0, 0.0), (3, 1, 0.0)]


def test_an_analysis_that_fails_says_that_it_is_over(collection: Collection, quick: None,
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    study = collection.open_file("a.usi")[0]
    reports: list[dict[str, Any]] = []
    monkeypatch.setattr(study, "keep", lambda _found: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        asyncio.run(whole_game(Desk(lambda: engine_of(Searches())), study, 100, reports.append))
    assert reports[-1].get("over")


def test_a_hint_that_outlasts_its_game_changes_nothing(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[dict[str, Any]] = []

    async def play() -> None:
        ends = asyncio.Event()

        async def result(_handle: object) -> object:
            await ends.wait()
            return SimpleNamespace(bestmove="7g7f", score=0, outcome="move")

        monkeypatch.setattr(playing, "result_of", result)
        service.sit_down(told.append)
        service.new_game(Wanted(main=10))
        old = service.game
        assert old
        hint = asyncio.ensure_future(old.hint())
        await asyncio.sleep(.02)
        service.new_game(Wanted(main=10))
        count = len(told)
        ends.set()
        with refused(about="changed"):
            await hint
        assert len(told) == count
        assert not old.told()["clock"]["runs"]
        assert service.game
        assert service.memory.read("current") == {"game": service.game.id}
        service.game.close()

    asyncio.run(play())


def test_the_clock_stands_still_until_the_last_of_several_hints(service: Service,
                                                                monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        ends = [asyncio.Event(), asyncio.Event()]
        waits = iter(ends)

        async def result(_handle: object) -> object:
            await next(waits).wait()
            return SimpleNamespace(bestmove="7g7f", score=0, outcome="move")

        monkeypatch.setattr(playing, "result_of", result)
        service.sit_down(lambda _message: None)
        service.new_game(Wanted(main=10))
        game = service.game
        assert game
        hints = [asyncio.ensure_future(game.hint()) for _tab in range(2)]
        await asyncio.sleep(.02)
        ends[0].set()
        assert (await hints[0])["pv"] == ["7g7f"]
        assert not game.told()["clock"]["runs"]
        ends[1].set()
        await hints[1]
        assert game.told()["clock"]["runs"]
        game.close()

    asyncio.run(play())


def test_the_game_on_the_board_goes_on_when_it_is_resumed(service: Service) -> None:
    async def play() -> None:
        service.sit_down(lambda _message: None)
        service.new_game(Wanted(main=10))
        game = service.game
        assert game
        service.resume(game.id)
        assert service.game is game
        assert game.told()["clock"]["runs"]
        game.close()

    asyncio.run(play())


def test_the_engines_faults_are_told_in_the_language_of_each_tab(service: Service, monkeypatch: pytest.MonkeyPatch,
                                                                 caplog: pytest.LogCaptureFixture) -> None:
    faults: list[Exception] = [UserError("this game is no longer there"), KeyError("x")]

    async def fails(_handle: object) -> None:
        raise faults.pop(0)

    async def play() -> list[str]:
        monkeypatch.setattr(playing, "result_of", fails)
        texts = []
        for _fault in list(faults):
            tab = Tab(service)
            tab.hear({"do": "hello", "page": "play", "language": "ja"})
            service.new_game(Wanted(color="white"))
            while (message := await tab.next_message())["event"] != "error":
                pass
            texts.append(message["text"])
            await tab.close()
        return texts

    with caplog.at_level(logging.ERROR):
        assert asyncio.run(play()) == ["その対局はもうありません", "プログラムの不具合です（KeyError）。"
                                       "engine serve を動かしている端末に詳細が出ています。ご報告ください"]
    (logged,) = caplog.records
    assert logged.exc_info
    assert logged.exc_info[0] is KeyError


@pytest.mark.parametrize("do", ["games", "lessons"])       # at once, and in a thread
def test_a_bug_is_told_and_logged(service: Service, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
                                  do: str) -> None:
    def fails(*_given: object) -> None:
        raise ZeroDivisionError

    async def ask() -> dict[str, Any]:
        monkeypatch.setattr(service, "kept_games", fails)
        monkeypatch.setattr("usi.serve.tab.survey", fails)
        tab = Tab(service)
        tab.hear({"do": do})
        message = await tab.next_message()
        await tab.close()
        return message

    assert asyncio.run(ask()) == {
        "event": "error", "of": do,
        "text": "this is a bug of the program (ZeroDivisionError); the terminal where engine serve runs shows more, "
                "please report it"}
    assert "ZeroDivisionError" in caplog.text


def test_a_record_that_cannot_be_read_is_refused_before_the_server_runs(tmp_path: Path,
                                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    bad = tmp_path / "bad.kif"
    bad.write_text("no record at all\n")
    done = invoke("serve", "--no-browser", bad, status=1)
    assert done.output.startswith(f"Error: {bad}: ")
    assert not (tmp_path / "data").exists()
