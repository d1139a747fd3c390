"""A game in the browser: moves by mouse, finger and words, clocks, and that nothing of it is lost."""
import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine.records.files import find_records
from engine.records.handicaps import HANDICAPS
from search import Limits, Searcher
from tests.browser import NEEDS_CHROMIUM, Browser
from tests.processes import ENVIRONMENT, running
from tests.usi.serve.serving import (
    PLAYED,
    Served,
    begin,
    make_move,
    position_of,
    serving,
    sfen_of,
    wait_for_turn,
)

pytestmark = NEEDS_CHROMIUM
MOST_PLIES = 200


def play_to_mate(browser: Browser, served: Served, taps: bool) -> None:
    """Beat level 0, which a small search does."""
    searcher = Searcher(16)
    begin(browser, level=0)
    press = browser.tap if taps else browser.click
    plies = 0
    while not browser.see("page.game.end"):
        assert plies < MOST_PLIES
        move = searcher.search(position_of(browser), Limits(nodes=20_000)).bestmove
        assert move
        make_move(press, browser, move)
        plies += 2
        browser.until(f"{PLAYED} >= {plies} || document.querySelector('#status.over')")
    assert re.match(r"You won\. Black won after \d+ moves: (checkmate|White resigned)", browser.text("#status"))
    (file,) = served.folder.iterdir()
    (record,) = find_records(file).records
    assert (record.terminal, record.winner) == ("TSUMI", 0)
    assert record.position().is_mate()
    assert browser.is_visible("#review")


@pytest.mark.slow
def test_a_game_against_level_0_to_mate_by_clicks(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        browser.open(served.address)
        play_to_mate(browser, served, taps=False)


@pytest.mark.slow
def test_a_game_against_level_0_to_mate_by_touch(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        browser.open(served.address, 390, 844)
        browser.call("Emulation.setTouchEmulationEnabled", enabled=True)
        try:
            play_to_mate(browser, served, taps=True)
        finally:
            browser.call("Emulation.setTouchEmulationEnabled", enabled=False)


def test_a_handicap_game(browser: Browser, tmp_path: Path) -> None:
    """White, the engine, moves first; the sides have their names; the record has its handicap."""
    with serving(tmp_path) as served:
        browser.open(served.address, language="ja")
        begin(browser, handicap="二枚落ち", level=3)
        wait_for_turn(browser, 1)
        assert browser.texts("#moves .name")[0].startswith("1. △")
        assert browser.text("#top .name").startswith("☖ Gakushi")
        assert browser.see("document.querySelectorAll('#board [data-square]').length") == 38
        make_move(browser.click, browser, "7g7f")
        wait_for_turn(browser, 3)
        browser.click("#resign")
        browser.click("#resign")
        browser.until("document.querySelector('#status.over')")
        assert re.fullmatch(r"あなたの負けです。 まで\d+手で上手の勝ち（下手の投了）", browser.text("#status"))
        (file,) = served.folder.iterdir()
        (record,) = find_records(file).records
        assert (record.initial_sfen, record.terminal, record.winner) == (HANDICAPS["二枚落ち"], "TORYO", 1)
        assert record.names[0] == "プレイヤー"
        assert re.fullmatch(r"Gakushi \S+ .*3", record.names[1])


def test_a_reload_in_the_middle_and_the_other_side(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        browser.open(served.address)
        begin(browser, "white", level=1)
        wait_for_turn(browser, 1)
        assert browser.text("#bottom .name") == "☖ You"
        make_move(browser.click, browser, "3c3d", flipped=True)
        wait_for_turn(browser, 3)
        before = sfen_of(browser)
        browser.open(served.address)
        wait_for_turn(browser, 3)
        assert sfen_of(browser) == before
        assert browser.text("#bottom .name") == "☖ You"
        make_move(browser.click, browser, "8c8d", flipped=True)
        wait_for_turn(browser, 5)
        browser.click("#another")               # and another game leaves this one to be resumed
        browser.click("#start")
        browser.until(f"{PLAYED} <= 1 && document.querySelector('#status').innerText.includes('Your move')")
        browser.click("#another")
        browser.until("document.querySelector('#games button')")
        assert len(list(served.folder.iterdir())) == 2
        browser.click("#games button")
        browser.until(f"{PLAYED} >= 5")


def test_two_tabs_show_one_game(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        browser.open(served.address)
        begin(browser, level=0)
        with browser.another_tab() as other:
            browser.open(served.address)
            wait_for_turn(browser)
            make_move(browser.click, browser, "7g7f")
            wait_for_turn(browser, 2)
            seen = sfen_of(browser)
            browser.look_at(browser.tab)
            wait_for_turn(browser, 2)
            assert sfen_of(browser) == seen
            browser.click("#takeBack")
            browser.until(f"{PLAYED} === 0")
            browser.look_at(other)
            browser.until(f"{PLAYED} === 0")
            # A move for a board that is no longer there is refused, and the board comes right.
            browser.see("page.wire.send('move', {game: page.game.id, ply: 2, move: '2g2f'})")
            browser.until("!document.querySelector('#notice').hidden")
            assert "changed since" in browser.text("#notice")
            assert browser.see(PLAYED) == 0


def test_who_does_not_want_to_play_gets_on_from_the_first_page(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        browser.open(served.address, 390, 844, language="ja")
        browser.until("document.querySelector('#setup').open")
        browser.click("#cancel")
        browser.until("!document.querySelector('#setup').open")
        assert browser.text("#status") == "対局はまだありません。"
        browser.click("nav a", number=1)
        browser.until("page.view && page.view.game")


def test_a_game_is_reviewed_from_the_persons_side(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        browser.open(served.address, 390, 844, language="ja")
        begin(browser, "white", level=0, name="春野")
        browser.click("#resign")
        assert browser.text("#resign") == "本当に投了？"
        assert browser.see("(each => each.scrollWidth <= each.clientWidth)(document.querySelector('#resign'))")
        browser.click("#resign")
        browser.until("document.querySelector('#status.lost')")
        assert str(served.folder) in browser.text("#saved")
        browser.click("#review")
        browser.until("page.view && page.view.game")
        assert browser.text("#bottom") == "☖ 春野"
        study = browser.see("page.view.study")
        browser.open(browser.see("location.href"), 390, 844, language="ja")
        browser.until("page.view && page.view.game")
        assert (browser.see("page.view.study"), browser.text("#bottom")) == (study, "☖ 春野")


def test_typed_moves_hints_and_faults(browser: Browser, tmp_path: Path) -> None:
    def type_move(text: str) -> None:
        browser.see(f"document.querySelector('#text').value = {json.dumps(text)}")
        browser.click("#send")

    with serving(tmp_path) as served:
        browser.open(served.address, language="ja")
        begin(browser, level=0)
        type_move("55角")
        browser.until("!document.querySelector('#notice').hidden")
        assert "歩" in browser.text("#notice")          # which is in the way
        type_move("ほげ")
        browser.until("document.querySelector('#notice').innerText.startsWith('「ほげ」は指し手ではありません')")
        assert "ヘルプ" not in browser.text("#notice")  # which is a command of the terminal
        type_move("７六歩")
        wait_for_turn(browser, 2)
        assert browser.texts("#moves .name")[0] == "1. ▲７六歩(77)"
        browser.click("#hint")
        browser.until("document.querySelector('#hints p')")
        assert browser.text("#hints p").startswith("ヒント：")
        assert browser.see("document.querySelectorAll('#board .arrow.best').length") == 1
        browser.press("ArrowLeft")              # what was is only looked at
        assert browser.text("#status") == "2手中 1手目の局面です。"
        make_move(browser.click, browser, "2g2f")
        assert browser.see(PLAYED) == 2
        browser.press("End")
        browser.click("#takeBack")
        browser.until(f"{PLAYED} === 0")


def test_a_flag_falls(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        browser.open(served.address)
        begin(browser, preset=5, byoyomi=1, level=0)
        browser.until("document.querySelector('#status.over')")
        assert browser.text("#status") == "You lost. White won after 0 moves: Black ran out of time"
        assert browser.see("document.querySelector('#status').className") == "over lost"
        assert browser.text("#bottom .clock").endswith(" byoyomi")
        browser.click("#takeBack")              # and the turn begins anew
        browser.until("!document.querySelector('#status.over')")
        assert served.service.game
        clock = served.service.game.told()["clock"]
        assert (clock["byoyomi"], clock["left"]) == (1000, [0, 0])


def test_the_clock_stands_still_while_no_page_is_open(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        browser.open(served.address)
        begin(browser, preset=1)
        browser.until("document.querySelector('#bottom .clock').innerText <= '9:59'")
        browser.open("about:blank")
        game = served.service.game
        assert game
        while game.told()["clock"]["runs"]:
            pass
        spent = game.told()["clock"]["spent"]
        assert 0 < spent == game.told()["clock"]["spent"]
        browser.open(served.address)
        browser.until("page.game && page.game.clock.runs")
        assert browser.see("page.game.clock.spent") >= spent


def test_a_server_killed_and_started_again(browser: Browser, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "usi", "serve", str(tmp_path / "games"), "--no-browser", "--port", "0",
               "--hash", "1"]
    (tmp_path / "games").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(ENVIRONMENT, "XDG_DATA_HOME", str(tmp_path / "data"))
        patch.setitem(ENVIRONMENT, "LC_ALL", "C.UTF-8")
        with running(command) as process:
            browser.open(address_of(process))
            begin(browser, level=0, preset=1)
            make_move(browser.click, browser, "7g7f")
            wait_for_turn(browser, 2)
            seen = sfen_of(browser)
            process.send_signal(signal.SIGKILL)
            process.wait()
            browser.until("!document.querySelector('#notice').hidden")
            assert "does not answer" in browser.text("#notice")
        (file,) = (tmp_path / "games").iterdir()
        assert len(find_records(file).records[0].moves) == 2
        with running(command) as process:
            browser.open(address_of(process))
            wait_for_turn(browser, 2)
            assert sfen_of(browser) == seen
            make_move(browser.click, browser, "2g2f")
            wait_for_turn(browser, 4)
            assert list((tmp_path / "games").iterdir()) == [file]
            assert len(find_records(file).records[0].moves) == 4
            file.write_text("手合割：平手\n", encoding="utf-8")      # somebody else's now
            browser.click("#resign")
            browser.click("#resign")
            browser.until("document.querySelector('#status.over')")
            assert file.read_text(encoding="utf-8") == "手合割：平手\n"
            assert len(list((tmp_path / "games").iterdir())) == 2
            browser.open("about:blank")
            process.send_signal(signal.SIGINT)
            assert process.wait() == 0


def address_of(process: "subprocess.Popen[str]") -> str:
    assert process.stdout
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found
    return found[0]
