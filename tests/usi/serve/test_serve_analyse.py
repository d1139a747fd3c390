"""Analysis in the browser: records opened, live lines, whole games in the background, and what is taken away."""
import asyncio
import base64
import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from PIL import Image

from engine import Position
from engine.records.files import find_records
from engine.records.formats import SUFFIXES
from engine.records.record import GameRecord
from engine.records.writing import encoded
from tests.browser import NEEDS_CHROMIUM, Browser
from tests.usi.pages.showing import assessed, click_squares
from tests.usi.serve.serving import Served, begin, is_busy, make_move, serving, wait_for_turn, wait_until
from usi.commands.analyze.report import MATE_IN_COMMENTS
from usi.serve.judging import judged

pytestmark = NEEDS_CHROMIUM

MOVES = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e".split()
GAME = GameRecord(moves=MOVES, names=("甲", "乙"), comments={2: "角道"}, times={1: 3.0, 2: 61.0}, terminal="TORYO")
OF_THE_BOARD = "page.view.live.lines.every(line => legalMoves(page.view.shown().position).includes(line.pv[0]))"
LIVE = "document.querySelectorAll('#liveLines .line').length"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as found:
        (found.folder / "game.kif").write_bytes(encoded(Path("game.kif"), GAME))
        yield found


def open_game(browser: Browser, served: Served, fragment: str = "", **screen: object) -> None:
    browser.open(served.address + "analyse?file=game.kif", fragment=fragment, **screen)     # type: ignore[arg-type]
    browser.until(f"page.view.game && page.view.game.moves.length === {len(MOVES)}")


def test_analysis_with_stop(browser: Browser, served: Served) -> None:
    """Live lines follow the board, stop, go on, and end with the tab."""
    open_game(browser, served)
    browser.press("a")
    browser.until(f"{LIVE} === 3 && /depth \\d+\\/\\d+ · [\\d,]+ nodes/.test("
                  "document.querySelector('#liveFacts').innerText)")
    assert browser.see("document.querySelectorAll('#board .arrow').length") >= 3
    assert browser.see(OF_THE_BOARD)
    browser.press("ArrowRight")
    browser.until(f"{LIVE} === 3 && page.view.live && page.view.live.path === '7g7f'")
    assert browser.see(OF_THE_BOARD)
    # A line's second move is tried, and looked at in turn: in one step, since lines change all the time.
    browser.until("""(button => button && (button.click(), true))(
        [...document.querySelectorAll("#liveLines .line")].map(line => line.querySelectorAll("button")[1])
        .find(Boolean))""")
    browser.until("page.view.path().length === 3 && page.view.live && page.view.live.path.split(',').length === 3")
    browser.click("#go")
    browser.until(f"{LIVE} === 0")
    wait_until(lambda: not is_busy(served.service.desk))
    browser.click("#go")
    browser.until(f"{LIVE} === 3")
    assert is_busy(served.service.desk)
    browser.open("about:blank")
    wait_until(lambda: not is_busy(served.service.desk))


def test_a_live_analysis_gives_way_to_a_game_in_another_tab(browser: Browser, served: Served) -> None:
    open_game(browser, served)
    browser.press("a")
    browser.until(f"{LIVE} === 3")
    with browser.another_tab():
        browser.open(served.address)
        begin(browser, level=0)
        make_move(browser.click, browser, "7g7f")
        wait_for_turn(browser, 2)
        browser.look_at(browser.tab)
        browser.see("page.view.live = null")
        browser.until("page.view.live && page.view.live.lines.length")         # and goes on


def test_two_live_analyses_take_turns(browser: Browser, served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("usi.serve.desk.SLICE_S", .1)
    open_game(browser, served)
    browser.press("a")
    browser.until(f"{LIVE} === 3")
    with browser.another_tab() as other:
        open_game(browser, served)
        browser.press("a")
        browser.until(f"{LIVE} === 3")
        for tab in (browser.tab, other):
            browser.look_at(tab)
            browser.see("page.view.live = null")
            browser.until("page.view.live && page.view.live.lines.length")


def test_records_are_dropped_pasted_and_uploaded(browser: Browser, served: Served) -> None:
    browser.open(served.address + "analyse")
    browser.until("page.view.game && page.view.game.moves.length === 0")
    assert browser.text("#facts") == "Open a record, drop it here, or paste it; or move the pieces."
    assert "game over" not in browser.text("#notes")
    for suffix in SUFFIXES:
        data = base64.b64encode(encoded(Path("game" + suffix), GAME)).decode()
        browser.see(f"""(() => {{
            const bytes = Uint8Array.from(atob("{data}"), each => each.charCodeAt(0)), given = new DataTransfer();
            given.items.add(new File([bytes], "game{suffix}"));
            document.dispatchEvent(new DragEvent("drop", {{dataTransfer: given, bubbles: true, cancelable: true}}));
        }})()""")
        browser.until(f"page.name === 'game{suffix}' && page.view.game.moves.length === {len(MOVES)}")
        assert browser.see("page.view.game.moves") == MOVES

    def paste(text: str) -> None:
        browser.see(f"""(() => {{
            const given = new DataTransfer();
            given.setData("text/plain", {json.dumps(text)});
            document.dispatchEvent(new ClipboardEvent("paste", {{clipboardData: given, bubbles: true}}));
        }})()""")

    paste("startpos moves 2g2f 8c8d")
    browser.until("page.view.game.moves.join() === '2g2f,8c8d'")
    paste("no record at all")
    browser.until("!document.querySelector('#notice').hidden")
    assert "no record" in browser.text("#notice")
    assert browser.see("page.view.game.moves.length") == 2
    paste("\n".join(f"startpos moves {move}" for move in ("7g7f", "2g2f", "5g5f")))       # several: one is chosen
    browser.until("document.querySelector('#files').open")
    assert len(browser.texts("#fileList button")) == 3
    browser.click("#fileList button", number=2)
    browser.until("page.view.game.moves.join() === '5g5f'")
    paste("手合割：平手\n   1 ７六歩(77)\n   2 ５五角打\n")
    browser.until("page.view.game.moves.join() === '7g7f'")
    assert "left out" in browser.text("#notice")
    paste("手合割：平手\n   1 ７六歩(77)\n   2 投了\n")
    browser.until("document.querySelector('#result').innerText === 'Black won after 1 move: White resigned'")
    paste("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1")
    browser.until("page.view.game.sfen.startsWith('4k4/')")
    assert browser.text("#facts") == ""         # it is not the board that a reader begins with


def test_moves_of_ones_own_stay_and_are_saved_in_every_format(browser: Browser, served: Served) -> None:
    open_game(browser, served)
    browser.press("ArrowRight")
    click_squares(browser, "8c", "8d")                      # a variation, …
    click_squares(browser, "2g", "2f")
    browser.press("Escape")
    assert browser.texts("#lines .line") == []
    browser.press("ArrowRight")
    assert [" ".join(text.split()) for text in browser.texts("#lines .line")] == ["Variation instead: P-8d P-2f"]
    browser.press("End")
    click_squares(browser, "6i", "7h")                      # … and the game goes on
    assert browser.see("page.view.game.moves.length") == len(MOVES) + 1
    browser.until("page.wire.socket.bufferedAmount === 0")
    browser.open(browser.see("location.href"))              # which a reload does not lose
    browser.until("page.view.game")
    assert browser.see("page.view.game.variations.map(each => [each.ply, each.pv])") == [[2, ["8c8d", "2g2f"]]]
    for suffix, form in SUFFIXES.items():
        browser.click("#save")
        browser.see(f"Object.assign(document.querySelector('#fileName'), {{value: 'mine{suffix}'}})")
        browser.click("#saveHere")
        browser.until(f"document.querySelector('#notice').innerText.startsWith('Saved as mine{suffix}')")
        (record,) = find_records(served.folder / f"mine{suffix}").records
        assert record.moves == [*MOVES, "6i7h"]
        assert bool(record.variations) == ("variations" in form.holds)
        assert record.names == (("甲", "乙") if "names" in form.holds else ("", ""))
    before = (served.folder / "game.kif").read_bytes()
    for name, saved in (("game.kif", "game-2.kif"), ("game.kif", "game-3.kif")):
        browser.click("#save")
        browser.see(f"Object.assign(document.querySelector('#fileName'), {{value: '{name}'}})")
        browser.click("#saveHere")
        browser.until(f"document.querySelector('#notice').innerText.startsWith('Saved as {saved}')")
    assert (served.folder / "game.kif").read_bytes() == before


def test_a_whole_game_in_the_background(browser: Browser, served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("usi.serve.looking.MOST_DEEPER_MS", 600)
    open_game(browser, served)
    browser.see("PACES[0] = 40; document.querySelector('#pace').value = 0")
    browser.click("#whole")
    browser.until("/position \\d of 7/.test(document.querySelector('#courseText').innerText)")
    browser.press("ArrowRight")                             # one may look elsewhere meanwhile
    click_squares(browser, "9c")
    browser.until("document.querySelector('#halt').hidden")
    assert browser.see("page.view.game.nodes.every(node => node.expected !== null)")
    assert browser.see("document.querySelectorAll('#board .target').length") == 1
    browser.press("Escape")
    assert len([each for each in browser.texts("#moves .value") if each]) == len(MOVES) + 1
    open_game(browser, served)                              # what was found is known when the record is opened again
    assert browser.see("page.view.game.nodes.every(node => node.expected !== null)")
    nodes = browser.see("page.view.game.nodes[1].judged_nodes")
    browser.see("page.view.go(1)")
    browser.click("#deeper")
    browser.until("document.querySelector('#halt').hidden")
    assert browser.see("page.view.game.nodes[1].judged_nodes") > nodes
    assert browser.see("formatSfen(page.view.shown().position)").endswith(" w -")
    collection = served.service.collection
    text = collection.written(collection.study(browser.see("page.view.study")), ".kifu", analysed=True)[0]
    assert "*解析 0 候補1" in text.decode()
    assert str(MATE_IN_COMMENTS) not in text.decode()


def test_mistakes_and_the_turning_point_are_named_once_they_are_known(browser: Browser, served: Served,
                                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    """Not before: later moves may change them, and a move that nobody has looked at is no good one."""
    seen = Event()

    async def judged_once_seen(*asked: Any) -> dict[str, Any]:
        while not seen.is_set():
            await asyncio.sleep(0.01)
        return await judged(*asked)

    monkeypatch.setattr("usi.serve.tab.judged", judged_once_seen)
    open_game(browser, served, language="ja")
    assert not browser.is_visible("#exercises")
    study = served.service.collection.study(browser.see("page.view.study"))

    def look(ply: int, score: int, line: tuple[str, ...]) -> None:
        study.keep(assessed(study.record, ply, score, line))

    for ply, score, line in ((0, 30, ("7g7f",)), (1, -20, ("3c3d",)), (2, 40, ("2h7h", "8c8d")), (3, 700, ("8c8d",)),
                             (4, -700, ("2f2e",)), (5, 700, ("8d8e",))):
        look(ply, score, line)
    study.close()
    open_game(browser, served, language="ja")
    assert not browser.is_visible("#turning")
    assert browser.texts("#exercises button") == ["先手の悪手を直す (1)", "後手の悪手を直す (0)"]
    look(6, -700, ("7f7e",))
    study.close()
    open_game(browser, served, language="ja")
    assert browser.texts("#exercises button") == ["先手の悪手を直す (1)", "後手の悪手なし"]
    assert browser.text("#turning") == "勝負の分かれ目：3手目 ▲２六歩(27)"
    browser.click("#turning")
    assert browser.text("#move") == "▲２六歩(27)"
    browser.see("page.takeProgress({over: true})")
    assert browser.text("#notice") == "解析が終わりました。印の付いた手：先手1、後手0。"
    browser.see(f"page.view.takeNodes({{nodes: {json.dumps({3: study.node(3)})}, turning_point: null}})")
    assert not browser.is_visible("#turning")
    browser.open(browser.see("location.href"), 1280, 800, language="ja")     # the exercise is at the top
    browser.until("page.view && page.view.game")
    assert browser.see("document.querySelector('#controls').getBoundingClientRect().top"
                       " - document.querySelector('#seen').getBoundingClientRect().bottom") < 20
    browser.click("#exercises button")
    assert browser.see("document.querySelector('#told').getBoundingClientRect().top"
                       " - document.querySelector('#seen').getBoundingClientRect().top") < 40
    click_squares(browser, "9g", "9f")          # shown while it is judged
    assert browser.text("#told") == "▲９六歩(97) を調べています…"
    assert browser.see("""document.querySelector('#board [data-square="45"]').dataset.piece""") == "P"
    seen.set()
    browser.until("document.querySelector('.verdict')")


def test_a_whole_game_is_stopped_and_goes_on(browser: Browser, served: Served) -> None:
    open_game(browser, served)
    browser.see("PACES[0] = 200; document.querySelector('#pace').value = 0")
    browser.click("#whole")
    browser.until("page.view.game.nodes[1].expected !== null")
    browser.click("#halt")
    wait_until(lambda: not is_busy(served.service.desk))
    done = browser.see("page.view.game.nodes.filter(node => node.expected !== null).length")
    assert done < len(MOVES) + 1
    browser.click("#whole")
    browser.until(f"page.view.game.nodes[{done}].expected !== null")
    browser.open("about:blank")
    wait_until(lambda: not is_busy(served.service.desk))


def test_a_page_is_busy_as_long_as_the_server_is(browser: Browser, served: Served) -> None:
    """An error of another request does not end it; a server that was away knows nothing of it."""
    open_game(browser, served)
    browser.see("PACES[0] = 60000; document.querySelector('#pace').value = 0")
    browser.click("#whole")
    browser.until("/position \\d of 7/.test(document.querySelector('#courseText').innerText)")
    browser.see("page.wire.send('open', {file: 'nowhere.kif'})")
    browser.until("document.querySelector('#notice').innerText.includes('nowhere.kif')")
    assert not browser.see("document.querySelector('#halt').hidden")
    assert browser.see("document.querySelector('#whole').disabled")
    browser.see("page.wire.socket.close()")
    browser.until("document.querySelector('#halt').hidden")
    wait_until(lambda: not is_busy(served.service.desk))


def test_a_request_that_fails_ends_its_own_waiting(browser: Browser, served: Served) -> None:
    open_game(browser, served)
    browser.see("page.begin('deeper', {study: 'gone', ply: 1})")
    browser.until("document.querySelector('#notice').innerText")
    browser.until("document.querySelector('#halt').hidden")


def test_what_is_copied_and_the_picture(browser: Browser, served: Served) -> None:
    open_game(browser, served, "#2")
    browser.see("navigator.clipboard.writeText = async text => { window.copied = text; }")
    browser.click("#copySfen")
    browser.until("window.copied")
    assert browser.see("copied") == GAME.position(2).sfen
    Position(browser.see("copied"))
    browser.see("window.copied = ''")
    browser.click("#copyKif")
    browser.until("window.copied")
    (record,) = find_records(browser.see("copied")).records
    assert (record.moves, record.names, record.comments) == (MOVES, GAME.names, GAME.comments)
    browser.click("#png")
    data = browser.until("page.picture && 'there'") and browser.see("""page.picture.arrayBuffer().then(
        found => btoa(String.fromCharCode(...new Uint8Array(found))))""")
    image = Image.open(BytesIO(base64.b64decode(data)))
    assert image.size == (776, 1016)
    assert image.getpixel((400, 300)) != image.getpixel((2, 2))


def test_a_game_begins_from_a_position(browser: Browser, served: Served) -> None:
    open_game(browser, served, "#3")
    browser.click("#playOn")
    browser.until("location.pathname.endsWith('/') && document.querySelector('#setup').open")
    assert browser.text("#setupHead") == "New game from move 3"
    browser.click("[name=color][value=white] + span")
    browser.click("#start")
    wait_for_turn(browser, 3)
    assert browser.see("page.game.moves") == MOVES[:3]


def test_no_path_leads_out_of_the_folder(browser: Browser, served: Served, tmp_path: Path) -> None:
    secret = tmp_path / "secret.kif"
    secret.write_bytes(encoded(secret, GAME))
    (served.folder / "link.kif").symlink_to(secret)
    (served.folder / "inner").mkdir()
    (served.folder / "inner" / "one.csa").write_bytes(encoded(Path("one.csa"), GAME))
    assert set(served.service.collection.files()) == {"game.kif", "inner/one.csa"}
    open_game(browser, served)
    for name in ("../secret.kif", str(secret), "link.kif", "inner/../../secret.kif", ""):
        browser.see("document.querySelector('#notice').hidden = true, "
                    f"page.wire.send('open', {{file: {json.dumps(name)}}})")
        browser.until("!document.querySelector('#notice').hidden")
        assert "is not in the folder" in browser.text("#notice")
    for name in ("../out.kif", "/tmp/out.kif", "a/b.kif", "..", ".kif", "a\\b.kif", "x" * 200 + ".kif", "a.exe",
                 "a\0.kif"):
        browser.see("document.querySelector('#notice').hidden = true, page.wire.send('save', "
                    f"{{study: page.view.study, name: {json.dumps(name)}, analysed: false}})")
        browser.until("!document.querySelector('#notice').hidden")
        assert not browser.text("#notice").startswith("Saved")
    assert {path.name for path in served.folder.iterdir()} == {"game.kif", "link.kif", "inner"}
    assert {path.name for path in tmp_path.iterdir()} == {"games", "memory", "secret.kif"}
