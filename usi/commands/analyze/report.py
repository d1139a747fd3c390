"""The outputs of an analysis: table, JSON, commented record, graph and page (docs/TOOLS.md)."""
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine import BLACK, WHITE
from engine.records.handicaps import ENGLISH_NAMES, EVEN, HANDICAP_NAMES
from engine.records.kakinoki import handicap_of, side_names
from engine.records.record import GameRecord
from engine.system.cpu import VERSION
from search import Limits
from search.limits import Bound, is_mate, is_superior, mate_plies
from usi.commands.analyze.analysis import Analysis, Assessment, Candidate, Judgement, missed_mate
from usi.console.figure import draw_into, japanese_fonts, new_figure
from usi.pages.pages import fill_page, game_data, packaged
from usi.words.endings import ending_text
from usi.words.language import _, language, side_name
from usi.words.wording import (
    DECIDED,
    MARKS,
    ONLY_MOVE,
    SUPERIOR,
    Mark,
    Special,
    Style,
    columns_of,
    expected_score,
    format_last_move,
    format_line,
    format_move,
    pad,
    pad_left,
    show_score,
)

SCHEMA = 1              # of the JSON; higher when a program that reads it would have to change
MATE_IN_COMMENTS = 30000    # the value of a mate where a comment only has room for centipawns
MOVE_COLUMNS = {"japanese": 16, "usi": 6}
SCORE_COLUMNS = 10
# The headers that are shown, with their English names.
FACTS = {"表題": "title", "EVENT": "event", "SITE": "place", "START_TIME": "date", "OPENING": "opening"}
LINE_PLIES = 8          # of a line in the table
_OTHER_SIDES: dict[Bound, Bound] = {"exact": "exact", "lower": "upper", "upper": "lower"}      # of a bound
_BOUND_SIGNS: dict[Bound, str] = {"exact": "", "lower": ">", "upper": "<"}
# The GUIs' words for a lead, by centipawns from Black's side.
SITUATIONS = ((1500, "勝勢"), (800, "優勢"), (300, "有利"))
REPETITION = "千日手"
OTHERS_LOSE = "ほかの手はすべて大悪手"
# The lines that `commented` writes for a ply. If another line with # follows the last one, ShogiHome wrote them.
_WRITTEN = re.compile(
    rf"(?:^|\n)(?:【(?:{'|'.join(mark.japanese for mark in (*MARKS, ONLY_MOVE))})】"
    rf"(?:失った分は|期待勝率 |{OTHERS_LOSE}).*\n)?"
    r"(?:\*解析 0 候補1 時間 .*\n(?:\*解析 0 候補(?!1 )\d+ 時間 .*\n)*)?"
    rf"(?:(?:互角|{REPETITION}|[先後下上]手(?:{'|'.join(word for _least, word in SITUATIONS)}))\n#評価値=-?\d+"
    rf"|[先後下上]手{SUPERIOR}|(?:連続王手の千日手で[先後下上]手の負け\n)?#詰み=[先後]手勝ち(?::\d+手)?)(?=\n(?!#)|$)")


# -- The table ---------------------------------------------------------------------------------------------------------

def heading(style: Style) -> str:
    """The line above the rows."""
    ply, score, black, lost = (pad_left(word, columns) for word, columns in (
        (_("ply"), 4), (_("score"), SCORE_COLUMNS), (side_name(BLACK), 6), (_("lost"), 10)))
    mark = " " * _mark_columns()
    return f"{ply}  {pad(_('move'), MOVE_COLUMNS[style])} {score} {black} {lost} {mark}  {_('best line')}"


def players(record: GameRecord, form: str) -> str:
    """A line with players, event, date, and the format of the record."""
    names = [f"{side_name(side)}: {name}" for side, name in enumerate(record.names) if name]
    return ", ".join([*names, *(f"{_(label)}: {value}" for label, value in _facts(record).items()), form])


def _facts(record: GameRecord) -> dict[str, str]:
    return {label: value for key, label in FACTS.items() if (value := record.headers.get(key))}


def _mark_columns() -> int:
    return 6 if language() == "ja" else 2


def _mark(analysis: Analysis, judgement: Judgement) -> str:
    """The mark of a move: the Japanese word that GUIs use, or a symbol."""
    is_japanese = language() == "ja"
    mark = judgement.mark or (ONLY_MOVE if analysis.is_only(judgement) else None)
    if mark:
        return mark.japanese if is_japanese else mark.symbol
    return "最善" if is_japanese and judgement.is_best else ""


def rows(analysis: Analysis, style: Style, width: int | None = None) -> Iterator[str]:
    """The table rows: for each position the move that led there, its value, and the best continuation; several
    continuations have a row each. A row has as many moves as `width` columns have room for."""
    for found in analysis.assessments:
        for row in _rows_of(analysis, found, style):
            while width and columns_of(row) > width and " " in row.strip():
                row = row.rpartition(" ")[0].rstrip()
            yield row


def _rows_of(analysis: Analysis, found: Assessment, style: Style) -> Iterator[str]:
    position = analysis.position(found)
    played = format_last_move(position, style) or _("start")
    judgement = analysis.judgement(found.ply)
    lost = mark = ""
    if judgement:
        lost = f"{judgement.lost_expected:.0%} {judgement.lost_centipawns:5}"
        mark = _mark(analysis, judgement)
    score = pad_left(show_score(found.for_black, analysis.special(found)), SCORE_COLUMNS)
    black = expected_score(found.for_black)
    lines = [format_line(position, candidate.pv[:LINE_PLIES], style) for candidate in found.candidates]
    first = lines[0] if lines else "-"
    yield (f"{found.ply:4}  {pad(played, MOVE_COLUMNS[style])} {score} {black:6.0%} "
           f"{lost:>10} {pad(mark, _mark_columns())}  {first}")
    column, blank = MOVE_COLUMNS[style] + SCORE_COLUMNS + 7, " " * (15 + _mark_columns())
    for candidate, line in zip(found.candidates[1:], lines[1:], strict=True):
        yield f"{pad_left(_shown(analysis, found, candidate), column)} {blank}   {line}"


def _shown(analysis: Analysis, found: Assessment, candidate: Candidate) -> str:
    score = show_score(_for_black(candidate.score, found.turn), analysis.special(found, candidate))
    return _BOUND_SIGNS[_for_black_bound(candidate.bound, found.turn)] + score


def summary(analysis: Analysis, style: Style) -> Iterator[str]:
    """Lines that sum up each side, with its worst moves and the better ones, and how the game ended."""
    for side in (BLACK, WHITE):
        done = analysis.of_side(side)
        if not done.moves:
            continue
        counts = ", ".join(f"{_mark_name(mark)} {done.marks[mark.symbol]}" for mark in MARKS)
        yield _("{side}: the engine's first choice in {best} of {count}, {lost:.1%} lost on average; {marks}",
                side=side_name(side), best=done.best, count=done.moves, lost=done.lost, marks=counts)
        if done.kept is not None:
            yield _("{side}: accuracy {kept:.1%}", side=side_name(side), kept=done.kept)
    for judgement in analysis.judgements:
        position, mate = analysis.position(judgement.before), judgement.before.mate
        move = format_move(position, judgement.move, style)
        if judgement.mark:
            best = judgement.deepest.best
            best_move = format_move(position, best, style) if best else _("declaring a win")
            yield _("{ply:4} {move} {mark}: better was {best} ({nodes:,} nodes)", ply=judgement.ply, best=best_move,
                    move=move, nodes=judgement.nodes, mark=_mark_name(judgement.mark, first="symbol"))
        elif analysis.is_only(judgement):
            yield _("{ply:4} {move} {mark}: every other move is a blunder ({nodes:,} nodes)", ply=judgement.ply,
                    move=move, nodes=judgement.nodes, mark=_mark_name(ONLY_MOVE, first="symbol"))
        if missed_mate(judgement):
            yield _("{ply:4} there was a mate in {length}: {line}", ply=judgement.ply, length=len(mate),
                    line=format_line(position, mate, style))
    if turn := analysis.turning_point:
        yield _("turning point: move {ply}, {move}", ply=turn.ply,
                move=format_move(analysis.position(turn.before), turn.move, style))
    if analysis.is_whole and (end := ending_text(analysis.record)):
        yield end


def _mark_name(mark: Mark, first: str = "name") -> str:
    if language() == "ja":
        return mark.japanese
    return f"{mark.name} ({mark.symbol})" if first == "name" else f"{mark.symbol} ({mark.name})"


def _for_black(score: int, turn: int) -> int:
    return score if turn == BLACK else -score


# -- JSON --------------------------------------------------------------------------------------------------------------

def as_json(analysis: Analysis, limits: Limits, threads: int, hash_mb: int) -> dict[str, Any]:
    """The whole analysis; docs/TOOLS.md describes every field."""
    record = analysis.record
    return {
        "schema": SCHEMA,
        "engine": f"Gakushi {VERSION}",
        "limits": {"depth": limits.depth, "nodes": limits.nodes, "movetime_ms": limits.movetime},
        "threads": threads,
        "hash_mb": hash_mb,
        "names": list(record.names),
        "initial_sfen": record.initial_sfen,
        "terminal": record.terminal,
        "turning_point": turning_ply(analysis),
        "positions": [position_json(analysis, found) for found in analysis.assessments],
    }


def position_json(analysis: Analysis, found: Assessment) -> dict[str, Any]:
    """One position, as an entry of `positions`."""
    judgement = analysis.judgement(found.ply)
    return {
        "ply": found.ply,
        "sfen": found.sfen,
        "move": analysis.record.moves[found.ply - 1] if found.ply else None,
        "lost_expected": judgement and round(judgement.lost_expected, 4),
        "lost_centipawns": judgement and judgement.lost_centipawns,
        "mark": judgement.mark.symbol if judgement and judgement.mark else None,
        "only_move": bool(judgement and analysis.is_only(judgement)),
        "judged_nodes": judgement and judgement.nodes,
        **score_json(found.for_black, analysis.special(found)),
        "depth": found.depth,
        "nodes": found.nodes,
        "time_ms": found.time_ms,
        "lines": [{**score_json(_for_black(candidate.score, found.turn), analysis.special(found, candidate)),
                   "bound": _for_black_bound(candidate.bound, found.turn), "pv": list(candidate.pv)}
                  for candidate in found.candidates],
        "mate_by_checks": list(found.mate) or None,
    }


def _for_black_bound(bound: Bound, turn: int) -> Bound:
    """The bound of a score for Black, from the bound of that score for the side to move."""
    return bound if turn == BLACK else _OTHER_SIDES[bound]


def score_json(for_black: int, special: Special | None) -> dict[str, Any]:
    """A score from Black's side: centipawns or plies to mate, the expected score, and what is special. A perpetual
    check has neither number."""
    plies = mate_plies(for_black)
    counts = special != "perpetual check"
    return {"centipawns": for_black if plies is None and counts else None, "mate": plies if counts else None,
            "expected": round(expected_score(for_black), 4), "special": special}


# -- The record with comments ------------------------------------------------------------------------------------------

def commented(analysis: Analysis) -> GameRecord:
    """The game with the analysis added to its comments, in place of an older analysis of ours.

    Each line of play is written as ShogiGUI writes it (`*解析 …`); ShogiHome draws its graph from these, too. A last
    line in ShogiHome's own form, which ShogiHome prefers, has the score that counts, or the mate. Scores are Black's;
    lines of play begin after the move.
    """
    comments = dict(analysis.record.comments)
    for found in analysis.assessments:
        lines = [*_comment_on_move(analysis, found), *_comment_on_position(analysis, found)]
        comments[found.ply] = "\n".join([*filter(None, [own_comment(analysis.record, found.ply)]), *lines])
    return replace(analysis.record, comments=comments)


def own_comment(record: GameRecord, ply: int) -> str | None:
    """A record's own comment at a ply, without what `commented` added."""
    comment = record.comments.get(ply)
    return comment and (_WRITTEN.sub("", comment).removeprefix("\n") or None)


def _comment_on_move(analysis: Analysis, found: Assessment) -> Iterator[str]:
    judgement = analysis.judgement(found.ply)
    if judgement and judgement.mark:
        deepest = judgement.deepest
        position = analysis.position(deepest)
        best = format_line(position, deepest.candidates[0].pv if deepest.candidates else (), "japanese")
        yield (f"【{judgement.mark.japanese}】失った分は期待勝率 {judgement.lost_expected:.0%}、評価値 "
               f"{judgement.lost_centipawns}（{judgement.nodes:,}局面を探索）。最善は {best or '宣言勝ち'}")
    elif judgement and analysis.is_only(judgement):
        yield f"【{ONLY_MOVE.japanese}】{OTHERS_LOSE}（{judgement.nodes:,}局面を探索）"


def _comment_on_position(analysis: Analysis, found: Assessment) -> Iterator[str]:
    position = analysis.position(found)
    minutes, ms = divmod(found.time_ms, 60_000)
    for number, candidate in enumerate(found.candidates, 1):
        line = format_line(position, candidate.pv, "japanese", in_full=True)    # ShogiHome knows no 同 here
        for_black = _for_black(candidate.score, found.turn)
        score = "" if is_superior(for_black) else f"評価値 {_centipawns(for_black)} "
        yield (f"*解析 0 候補{number} 時間 {minutes:02}:{ms / 1000:04.1f} 深さ {found.depth}/{found.seldepth} "
               f"ノード数 {found.nodes} {score}読み筋 {line}")
    plies = mate_plies(found.for_black)
    sides = side_names(handicap_of(analysis.record))
    special = analysis.special(found)
    if special == "repetition":
        yield REPETITION
        yield "#評価値=0"
    elif special == "perpetual check":
        yield f"連続王手の千日手で{sides[found.for_black > 0]}の負け"
        yield f"#詰み={'先手' if found.for_black > 0 else '後手'}勝ち"
    elif is_superior(found.score):
        yield f"{sides[found.for_black < 0]}{SUPERIOR}"
    elif plies is None:
        yield _situation(found.for_black, sides)
        yield f"#評価値={found.for_black}"
    else:
        yield f"#詰み={'先手' if found.for_black > 0 else '後手'}勝ち" + (f":{abs(plies)}手" if plies else "")


def _centipawns(score: int) -> int:
    return score if not is_mate(score) else MATE_IN_COMMENTS if score > 0 else -MATE_IN_COMMENTS


def _situation(for_black: int, sides: tuple[str, str]) -> str:
    for least, word in SITUATIONS:
        if abs(for_black) >= least:
            return f"{sides[for_black < 0]}{word}"
    return "互角"


LEAST_EDGE = 300        # centipawns: a game without events is drawn as one
COLOURS = {"??": "tab:red", "?": "tab:orange", "?!": "gold"}


def draw_graph(analysis: Analysis, path: Path) -> None:
    """Draw the scores from Black's side over the plies, the marked moves on them, into a .png or .svg file.

    The scale fits the game, but scores beyond those that decide one are drawn at the edge. Labels are in the user's
    language where a font for it is there. Raises UserError without matplotlib. Raises OSError.
    """
    figure = new_figure(9, 4)
    is_shown = language() == "en" or japanese_fonts()
    heights = {found.ply: min(max(found.for_black, -DECIDED), DECIDED) for found in analysis.assessments}
    edge = 1.05 * max([LEAST_EDGE, *map(abs, heights.values())])
    axes = figure.add_subplot(
        xlabel=_("ply") if is_shown else "ply", ylim=(-edge, edge),
        ylabel=_("score for {side} (centipawns)", side=side_name(BLACK)) if is_shown else
        "score for Black (centipawns)")
    if any(analysis.record.names):
        axes.set_title(" – ".join(name or side_name(side) for side, name in enumerate(analysis.record.names)))
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.fill_between(list(heights), list(heights.values()), color="tab:blue", alpha=0.2)
    axes.plot(list(heights), list(heights.values()), color="tab:blue", marker=".")
    is_japanese = is_shown and language() == "ja"
    names = {mark.symbol: mark.japanese if is_japanese else mark.name for mark in MARKS}
    for symbol, colour in COLOURS.items():
        plies = [move.ply for move in analysis.judgements if move.mark and move.mark.symbol == symbol]
        if plies:
            axes.plot(plies, [heights[ply] for ply in plies], "o", color=colour, linestyle="none",
                      label=f"{symbol} {names[symbol]}")
    if axes.get_legend_handles_labels()[0]:
        axes.legend()
    draw_into(path, figure)


# What a game has whose nodes are analysed: lines, and marks for moves that lose at least `good_below`.
ANALYSED = {"has_lines": True, "good_below": MARKS[-1].expected}
# The fields of a position in `--json` that the page has elsewhere, or does not need.
_NOT_SHOWN = {"ply", "sfen", "move", "depth", "nodes", "time_ms"}


def page(analysis: Analysis, links: Mapping[str, str | None] | None = None) -> str:
    """The HTML of the page, self-contained. `links` leads to the `index`, and to the `previous` and the `next` page, if
    there are any."""
    names = [name or side_name(side) for side, name in enumerate(analysis.record.names)]
    return fill_page(packaged("analysis.html"), " – ".join(names), page_data(analysis, links))


def page_data(analysis: Analysis, links: Mapping[str, str | None] | None = None) -> dict[str, Any]:
    """The data for the page's program. A node of the game has the fields of a position in `--json`."""
    record, assessments = analysis.record, analysis.assessments
    game = game_data(record, assessments[0].ply, assessments[-1].ply)
    nodes = [page_node(analysis, number) for number in range(len(assessments))]
    return {
        "engine": f"Gakushi {VERSION}",
        "facts": _facts(record),
        "handicap": handicap_names(record),
        "marks": [mark.symbol for mark in MARKS],
        "links": links,
        "sides": [_side(analysis, side) for side in (BLACK, WHITE)],
        "game": game | {"nodes": nodes, "turning_point": turning_ply(analysis)} | ANALYSED,
    }


def turning_ply(analysis: Analysis) -> int | None:
    """The number of the move that lost the balance for good."""
    turn = analysis.turning_point
    return turn.ply if turn else None


def handicap_names(record: GameRecord) -> dict[str, str] | None:
    """The name of a game's handicap in both languages; None if there is none."""
    handicap = HANDICAP_NAMES.get(record.initial_sfen, EVEN)
    return {"ja": handicap, "en": ENGLISH_NAMES[handicap]} if handicap != EVEN else None


def _side(analysis: Analysis, side: int) -> dict[str, Any]:
    done = analysis.of_side(side)
    return {"moves": done.moves, "best": done.best, "lost": round(done.lost, 4),
            "kept": None if done.kept is None else round(done.kept, 4),
            "marks": {mark.symbol: done.marks[mark.symbol] for mark in MARKS}}


def page_node(analysis: Analysis, number: int) -> dict[str, Any]:
    """The page's data about one assessed position."""
    found = analysis.assessments[number]
    shown = {name: value for name, value in position_json(analysis, found).items() if name not in _NOT_SHOWN}
    shown |= {"comment": own_comment(analysis.record, found.ply), "missed_mate": None}
    judgement = analysis.judgement(found.ply)
    if judgement and missed_mate(judgement):
        shown["missed_mate"] = list(judgement.before.mate)
    return shown
