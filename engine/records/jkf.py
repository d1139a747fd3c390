"""Records in JKF, the JSON of web boards: the words of CSA for pieces and ends, those of KIF for headers.

Source: json-kifu-format, https://github.com/na2hiro/Kifu-for-JS/tree/master/packages/json-kifu-format
"""
import json
import re
from typing import Any, TypeVar

from engine.board import Position
from engine.errors import Listed, Phrase, UserError
from engine.pieces import GOLD, LETTERS, RANKS, SQUARES, WHITE_PIECE, square_index
from engine.recordlines import KIND_NAMES
from engine.records.csa import KINDS
from engine.records.handicaps import HANDICAPS, OTHER
from engine.records.kakinoki import DEEPEST, handicap_of, headers_of, note_header, require_handicap
from engine.records.record import (
    OFFENCES,
    TERMINALS,
    GameRecord,
    LesserFault,
    lines_of,
    printable,
    require_legal,
    seconds_spent,
    single_line,
    whole_number,
)
from engine.records.relation import DROP, find_move, relation
from engine.sfen import Placement, format_sfen

_PRESETS = dict(zip("HIRATE KY KY_R KA HI HIKY 2 3 4 5 5_L 6 7_L 7_R 8 10".split(), HANDICAPS, strict=False))
_PRESET_NAMES = {name: preset for preset, name in _PRESETS.items()} | {OTHER: "OTHER"}
_RELATIVE = dict(zip("左直右上寄引打", "LCRUMDH", strict=True))
_WORDS = {letter: word for word, letter in _RELATIVE.items()}
_HANDICAP = "手合割"
_FIRST = re.compile(r"\s*(?:\{|\[\s*[]{])")
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*(?:"|$)|[][{}]', re.DOTALL)
# CSA names the side that broke a rule by a sign, JKF by different words for the side to move and the other side.
_OWN_OFFENCE, _OTHERS_OFFENCE = "ILLEGAL_MOVE", "ILLEGAL_ACTION"

Json = dict[str, Any]
T = TypeVar("T")


# -- Reading -----------------------------------------------------------------------------------------------------------

def is_jkf(text: str) -> bool:
    """Whether a text is JSON, which no other format is."""
    return _FIRST.match(text) is not None


def parse_jkf(text: str, strict: bool = True) -> list[GameRecord]:
    """Read the games of a JKF file, which holds one game or a list of them, with their variations ("forks").

    Takes moves both with an origin and, as converters from other formats leave them, without one. Raises UserError,
    saying where, for text that is not JKF, an impossible position or an illegal move. Unless `strict`, such an entry is
    skipped, a move together with all that follows it, and noted in the record's `faults`.
    """
    cut_off = None
    try:
        found = _loaded(text)
    except UserError as fault:
        if strict or not (whole := _closed(text)):
            raise
        found, cut_off = _loaded(whole), fault
    if not isinstance(found, list):
        found = [found]
    elif not found or not isinstance(found[0], dict):
        raise UserError("JKF is one JSON object, or a list of such")
    records = [_game(game, strict) for game in found]
    if cut_off:
        records[-1].faults.insert(0, cut_off)
    return records


def _game(found: Any, strict: bool) -> GameRecord:
    record = GameRecord()
    faults = None if strict else record.faults
    if not isinstance(found, dict):
        raise UserError("JKF is one JSON object")
    header = _get(found, "header", dict, {})
    if not (header or found.keys() & {"initial", "moves"}):
        raise UserError('this JSON is no JKF: it has no "header", no "initial" and no "moves"')
    for key, value in header.items():
        try:
            if key != _HANDICAP:
                note_header(record, *(single_line(_text(text, what)) for text, what in (
                    (key, Phrase("a header")), (value, Phrase("the header {name!r}", name=key)))))
        except UserError as fault:
            _note(LesserFault.of(fault), faults)
    initial = _get(found, "initial", dict, None)
    position = Position(HANDICAPS[_handicap(header)] if initial is None else _set_up(initial))
    record.initial_sfen = position.sfen
    moves = _get(found, "moves", list, [])
    _Lines(faults).read(record, position, _after_first_comment(record, moves), None, 0, 0)
    return record


def _after_first_comment(record: GameRecord, moves: list[Any]) -> list[Any]:
    """The entries behind the first one, which holds comments. If the first entry has a move nevertheless, it is kept as
    the line's first move."""
    if not moves or _object(moves[0]).keys() & {"move", "special", "forks"}:
        return moves
    _note_comments(record, 0, moves[0])
    return moves[1:]


def _loaded(text: str) -> Any:
    """The value of a text in JSON; raises UserError if it is not JSON."""
    try:
        return json.loads(text, parse_int=_whole_number)
    except RecursionError:
        raise UserError("the JSON is nested too deeply") from None
    except json.JSONDecodeError as fault:
        line = fault.doc.splitlines()[fault.lineno - 1:][:1] or [""]
        raise UserError("JKF is JSON, which this is not from line {line}, column {column} on, at {text!r}; save the "
                        "game again, or look whether all of it is there", line=fault.lineno, column=fault.colno,
                        text=line[0][fault.colno - 1:][:20]) from None


def _whole_number(text: str) -> int:
    return -whole_number(text[1:]) if text.startswith("-") else whole_number(text)


def _closed(text: str) -> str:
    """The part of a cut-off JSON text up to the last whole object or array, completed by the missing brackets."""
    lacking: list[str] = []
    end = 0
    for token in _TOKENS.finditer(text):
        if token[0] in "{[":
            lacking.append("}" if token[0] == "{" else "]")
        elif token[0] in "}]" and lacking:
            lacking.pop()
            end = token.end()
    # Find the brackets that are open at `end`. They are searched for again, because recording them at every bracket
    # would take long.
    lacking.clear()
    for token in _TOKENS.finditer(text, 0, end):
        if token[0] in "{[":
            lacking.append("}" if token[0] == "{" else "]")
        elif token[0] in "}]" and lacking:
            lacking.pop()
    return text[:end] + "".join(reversed(lacking))


def _text(value: Any, what: Phrase) -> str:
    """The text itself. Raises UserError if it is no text, or holds half of a surrogate pair, as JSON may."""
    if not isinstance(value, str):
        raise UserError("{what} is {value!r}, which is no text", what=what, value=value)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UserError("{what} is {value!r}, where half of a letter is missing", what=what, value=value) from None
    return printable(value)


def _note(fault: UserError, faults: list[UserError] | None) -> None:
    """Raise the fault, or append it to `faults` if that is a list."""
    if faults is None:
        raise fault
    faults.append(fault)


def _handicap(header: Json) -> str:
    name = require_handicap(_text(header.get(_HANDICAP, "平手"), Phrase("the handicap")))
    if name == OTHER:
        raise UserError("the handicap is {name}, but there is no initial position", name=OTHER)
    return name


def _set_up(initial: Json) -> str:
    preset = _get(initial, "preset", str, "OTHER")
    if preset in _PRESETS:
        return HANDICAPS[_PRESETS[preset]]
    if preset != "OTHER":
        raise UserError("{text!r} is no preset; JKF knows {names} and OTHER", text=preset, names=Listed(_PRESETS))
    data = _get(initial, "data", dict, {})
    board, hands = [0] * SQUARES, ([0] * 8, [0] * 8)
    columns = data.get("board", [])
    for file, column in enumerate(columns if isinstance(columns, list) else []):
        for rank, cell in enumerate(column if isinstance(column, list) else []):
            kind = _get(_object(cell), "kind", str, None)
            if kind is None:
                continue
            if kind not in KINDS or file > 8 or rank > 8:
                raise UserError("there is no {name!r} on file {file}, rank {rank} of a board", name=kind, file=file + 1,
                                rank=rank + 1)
            board[file * 9 + rank] = KINDS[kind] + WHITE_PIECE * _side(cell)
    for side, hand in zip((0, 1), _get(data, "hands", list, []), strict=False):
        for name, count in _object(hand).items():
            if KINDS.get(name, GOLD + 1) > GOLD and count:
                raise UserError("no hand can hold {name!r}", name=name)
            if not isinstance(count, int) or not 0 <= count <= 18:
                raise UserError("a hand holds {count!r} of {name!r}", count=count, name=name)
            if count:
                hands[side][KINDS[name]] = count
    return format_sfen(Placement(board, hands, _side(data), 1))


class _Lines:
    """Reads the game and its variations. Without a list of `faults` the first fault is raised. With a list, the rest of
    the faulty line is skipped."""

    def __init__(self, faults: list[UserError] | None) -> None:
        self._faults = faults

    def read(self, record: GameRecord, position: Position, moves: list[Any], before: str | None, first: int,
             depth: int) -> None:
        """Append moves to `record`, which begins after `first` plies of the game; `before` is the move before the next
        one."""
        if depth > DEEPEST:
            raise UserError("there are more than {most} variations within one another", most=DEEPEST)
        previous = before
        for ply, entry in enumerate(moves, 1):
            try:
                self._fork(record, position, _object(entry), ply, previous, first, depth)
                previous = _take(record, position, entry, previous, is_last=ply == len(moves))
                self._take_rest(record, entry, ply, first + ply)
            except UserError as fault:
                if self._faults is None and fault.fault is not fault:      # of a variation
                    raise
                _note(fault.at(Phrase("move {number}", number=first + ply)), self._faults)
                return

    def _fork(self, record: GameRecord, position: Position, entry: Json, ply: int, previous: str | None, first: int,
              depth: int) -> None:
        """Read the variations of a move."""
        for fork in _get(entry, "forks", list, []):
            if not isinstance(fork, list):
                raise UserError("a fork is {value!r}, which is no list of moves", value=fork)
            variation = GameRecord(position.sfen)
            fork = _after_first_comment(variation, fork)
            self.read(variation, position.copy(), fork, previous, first + ply - 1, depth + 1)
            if variation.moves or not self._faults:
                record.variations.setdefault(ply, []).append(variation)


    def _take_rest(self, record: GameRecord, entry: Json, ply: int, number: int) -> None:
        """Read the comments and times of a move or an end. A fault in a comment or a time loses only that comment or
        time."""
        for note in (_note_time, _note_comments):
            try:
                note(record, ply, entry)
            except UserError as fault:
                lesser = LesserFault.of(fault)
                _note(lesser if self._faults is None else lesser.at(Phrase("move {number}", number=number)),
                      self._faults)


def _take(record: GameRecord, position: Position, entry: Json, previous: str | None, is_last: bool) -> str | None:
    """Read a move or an end. Returns the last move made."""
    if record.terminal:
        raise UserError("this comes after the end of the game")
    if special := _get(entry, "special", str, None):
        record.terminal = _terminal(special, position.turn)
    elif move := _get(entry, "move", dict, None):
        previous = _usi(position, move, previous)
        position.push(previous)
        record.moves.append(previous)
    elif not is_last or not entry.get("forks"):       # the last may hold variations alone
        raise UserError("{entry!r} is neither a move nor an end", entry=entry)
    return previous


def _usi(position: Position, move: Json, previous: str | None) -> str:
    text = json.dumps(move, ensure_ascii=False)
    if move.get("to") is not None:
        target = _square(move["to"])
    elif move.get("same") and previous:
        target = previous[2:4]
    else:
        raise UserError("{text} does not say where it goes", text=text)
    promotes = bool(_get(move, "promote", bool, False))
    if move.get("from") is not None:
        usi = _square(move["from"]) + target + "+" * promotes
        require_legal(position, usi, text)
        return usi
    kind = KINDS.get(_get(move, "piece", str, ""))
    words = "".join(_WORDS.get(letter, "") for letter in _get(move, "relative", str, ""))
    if kind is None:
        raise UserError("{text} does not say which piece moves", text=text)
    return find_move(position, text, kind, target, words.replace(DROP, ""), promotes=promotes, drops=DROP in words)


def _square(place: Any) -> str:
    x, y = (_object(place).get(axis) for axis in "xy")
    if not (isinstance(x, int) and isinstance(y, int) and 1 <= x <= 9 and 1 <= y <= 9):
        raise UserError("{text!r} is no square, which is {{'x': 1 to 9, 'y': 1 to 9}}", text=place)
    return f"{x}{RANKS[y - 1]}"


def _terminal(special: str, turn: int) -> str:
    if special == _OTHERS_OFFENCE:
        return OFFENCES[1 - turn]
    if special not in TERMINALS:
        raise UserError("{text!r} is no way to end a game", text=special)
    return special


def _seconds(time: Json) -> float:
    now = _get(time, "now", dict, {})
    parts = [_number(now, unit) for unit in "hms"]
    return parts[0] * 3600 + parts[1] * 60 + parts[2]


def _number(parts: Json, name: str) -> float:
    value = parts.get(name) or 0
    if not isinstance(value, int | float) or not 0 <= value < 1e9:
        raise UserError("a time has {value!r} for {name!r}", value=value, name=name)
    return value


def _side(value: Json) -> int:
    side = value.get("color", 0)
    if side not in (0, 1):
        raise UserError("the side is {value!r}; it is 0 for Black, 1 for White", value=side)
    return int(side)


def _note_time(record: GameRecord, ply: int, entry: Json) -> None:
    if time := _get(entry, "time", dict, None):
        record.times[ply] = _seconds(time)


def _note_comments(record: GameRecord, ply: int, entry: Json) -> None:
    if lines := _get(entry, "comments", list, []):
        record.comments[ply] = "\n".join("\n".join(lines_of(_text(line, Phrase("a comment")))) for line in lines)


def _object(value: Any) -> Json:
    if not isinstance(value, dict):
        raise UserError("{value!r} stands where a JSON object has to", value=value)
    return value


def _get(found: Json, key: str, kind: type[T], missing: Any) -> Any:
    value = found.get(key)
    if value is None:
        return missing
    if not isinstance(value, kind):
        raise UserError("{key!r} is {value!r}, of the wrong type", key=key, value=value)
    return value


# -- Writing -----------------------------------------------------------------------------------------------------------

def format_jkf(record: GameRecord) -> str:
    """Write a game, with its variations, as JKF, normalized, to be saved in UTF-8.

    NAGs, fractions of a second and the move number of the set-up are dropped: JKF has no place for them. Raises
    UserError if a move is not legal.
    """
    handicap = handicap_of(record)
    initial: Json = {"preset": _PRESET_NAMES[handicap]}
    if handicap == OTHER:
        initial["data"] = _initial_data(Position(record.initial_sfen).placement)
    first = _with_comments({}, record, 0)
    moves = [first, *_line(record, None, (0.0, 0.0), 0)]
    header = {single_line(key): single_line(value) for key, value in headers_of(record)}
    found = {"header": header, "initial": initial, "moves": moves}
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def _initial_data(placement: Placement) -> Json:
    board = [[_cell(placement.board[file * 9 + rank]) for rank in range(9)] for file in range(9)]
    hands = [{KIND_NAMES[kind]: hand[kind] for kind in range(1, GOLD + 1)} for hand in placement.hands]
    return {"color": placement.turn, "board": board, "hands": hands}


def _cell(piece: int) -> Json:
    return {"color": piece // WHITE_PIECE, "kind": KIND_NAMES[piece % WHITE_PIECE]} if piece else {}


def _line(record: GameRecord, before: str | None, spent: tuple[float, float], offset: int) -> list[Json]:
    position, previous, totals = Position(record.initial_sfen), before, list(spent)
    entries = []
    for ply, usi in enumerate([*record.moves, None], 1):
        entry: Json = {}
        if usi:
            entry["move"] = _move(position, usi, previous)
        elif record.terminal:
            entry["special"] = _special(record)
        variations = [[*_said_before(variation), *_line(variation, previous, (totals[0], totals[1]), offset + ply - 1)]
                      for variation in record.variations.get(ply, [])]
        if entry and ply in record.times:
            parity = (offset + ply) % 2
            seconds = seconds_spent(record, ply)
            totals[parity] += int(seconds)
            entry["time"] = {"now": _clock(seconds), "total": _clock(totals[parity])}
        if entry:
            _with_comments(entry, record, ply)
        if variations:
            entry["forks"] = variations
        if entry:
            entries.append(entry)
        if usi:
            position.push(usi)
            previous = usi
    return entries


def _said_before(variation: GameRecord) -> list[Json]:
    """The comment before a variation's first move, in JKF's form."""
    return [_with_comments({}, variation, 0)] if 0 in variation.comments else []


def _move(position: Position, usi: str, previous: str | None) -> Json:
    require_legal(position, usi, usi)
    target = usi[2:4]
    move: Json = {"color": position.turn, "to": _place(target)}
    captured = position.piece_at(target) % WHITE_PIECE
    if usi[1] == "*":
        move["piece"] = KIND_NAMES[LETTERS.index(usi[0])]
    else:
        kind = position.piece_at(usi[:2]) % WHITE_PIECE
        move |= {"from": _place(usi[:2]), "piece": KIND_NAMES[kind]}
        if usi.endswith("+") or position.is_legal(usi[:4] + "+"):
            move["promote"] = usi.endswith("+")
    if previous and previous[2:4] == target:
        move["same"] = True
    if captured:
        move["capture"] = KIND_NAMES[captured]
    if words := relation(position, usi):
        move["relative"] = "".join(_RELATIVE[word] for word in words)
    return move


def _place(square: str) -> Json:
    file, rank = divmod(square_index(square), 9)
    return {"x": file + 1, "y": rank + 1}


def _special(record: GameRecord) -> str:
    if record.terminal in OFFENCES:
        return _OWN_OFFENCE if OFFENCES.index(record.terminal) == record.turn else _OTHERS_OFFENCE
    if record.terminal not in TERMINALS:
        raise UserError("{text!r} is no way to end a game", text=record.terminal)
    return record.terminal


def _clock(seconds: float) -> Json:
    whole = int(seconds)
    return {"h": whole // 3600, "m": whole // 60 % 60, "s": whole % 60}


def _with_comments(entry: Json, record: GameRecord, ply: int) -> Json:
    if ply in record.comments:
        entry["comments"] = lines_of(record.comments[ply])
    return entry
