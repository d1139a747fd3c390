"""The ends of games in Japanese records: a word in a move's place, or a sentence below the moves."""
import re

from engine.board import Position
from engine.errors import UserError
from engine.records.record import OFFENCES, SIDE_TO_MOVE_LOSES, GameRecord

TERMINALS = {
    "投了": "TORYO",
    "中断": "CHUDAN",
    "千日手": "SENNICHITE",
    "持将棋": "JISHOGI",
    "引き分け": "HIKIWAKE",
    "最大手数": "MAX_MOVES",
    "詰み": "TSUMI",
    "不詰": "FUZUMI",
    "切れ負け": "TIME_UP",
    "反則負け": "ILLEGAL_MOVE",
    "入玉勝ち": "KACHI",
    "不戦勝": "WIN_BY_DEFAULT",
    "不戦敗": "LOSS_BY_DEFAULT",
    "MATTA": "MATTA",                       # KIF has no words for the last two, so other programs write CSA's words
    "ERROR": "ERROR",
}
# CSA's HIKIWAKE is a game drawn by entering kings, 持将棋. Other readers do not know 引き分け.
_WORDS = {name: words for words, name in TERMINALS.items()} | {"HIKIWAKE": "持将棋"}
# Words of other programs. A sealed move may follow its word, or the game was broken off there.
SEALED = "封じ手"
_ENDS = TERMINALS | {
    "詰": "TSUMI", "時間切れ": "TIME_UP", "Time-up": "TIME_UP", "反則手": "ILLEGAL_MOVE", "宣言勝ち": "KACHI",
    "引分": "HIKIWAKE", "引分け": "HIKIWAKE", "待った": "MATTA", "指し掛け": "CHUDAN", SEALED: "CHUDAN",
}
WON_BY_OFFENCE = "反則勝ち"                 # the side to move wins: the other has broken a rule
# The words of a sentence about the end, the most specific first. A repetition that somebody loses is a perpetual check.
_OFFENCE, _DEFAULT = "OFFENCE", "DEFAULT"
_REASONS = {
    "連続王手": _OFFENCE, "反則": _OFFENCE, "不戦": _DEFAULT, "不詰": "FUZUMI", "入玉": "KACHI", "宣言": "KACHI",
    "トライ": "KACHI", "千日手": "SENNICHITE", "持将棋": "JISHOGI", "最大手数": "MAX_MOVES", "引分": "HIKIWAKE",
    "引き分": "HIKIWAKE", "時間切": "TIME_UP", "切れ負け": "TIME_UP", "詰": "TSUMI", "投了": "TORYO", "待った": "MATTA",
    "中断": "CHUDAN", "指し掛け": "CHUDAN", "指掛": "CHUDAN", SEALED: "CHUDAN", "勝ち": "TORYO",
    "接続切": "CHUDAN", "MATTA": "MATTA", "ERROR": "ERROR",
}
_SIDE = "(先手|下手|後手|上手|[▲☗▼△☖▽])"
_OTHER_WORDS = "[^先下後上▲☗▼△☖▽]*"
_WHO_WON = re.compile(rf"{_SIDE}{_OTHER_WORDS}勝")
_WHO_LOST = re.compile(rf"{_SIDE}{_OTHER_WORDS}(?:負|敗|投了|切れ|反則|切断)")
_WHITES = "後上△☖▽"
_BY_SIDE = re.compile(rf"{_SIDE}の?\s*(\S+)")


def end_of(words: str, position: Position) -> str | None:
    """The end of a game that these words in a move's place mean, with or without a side; None if they mean no end.

    >>> end_of("投了", Position()), end_of("後手 反則負け", Position()), end_of("７六歩(77)", Position())
    ('TORYO', '-ILLEGAL_ACTION', None)
    """
    words = words.strip("。．.!！ 　")
    if match := _BY_SIDE.fullmatch(words):
        side, bare = int(match[1][0] in _WHITES), match[2]
        if bare in _ENDS and side == position.turn:
            return _ENDS[bare]
        return told_end(words, position) if bare in _ENDS or bare in (WON_BY_OFFENCE, "勝ち", "負け") else None
    return OFFENCES[1 - position.turn] if words == WON_BY_OFFENCE else _ENDS.get(words)


def told_end(sentence: str, position: Position) -> str | None:
    """The end of a game that a sentence (まで2手で後手の勝ち) means, at a position; None if it means none.

    >>> told_end("まで0手で時間切れにより先手の勝ち", Position()), told_end("まで1手で千日手", Position())
    ('-ILLEGAL_ACTION', 'SENNICHITE')
    """
    reason = next((reason for words, reason in _REASONS.items() if words in sentence), None)
    if match := _WHO_WON.search(sentence):
        loser = int(match[1][0] not in _WHITES)
    elif match := _WHO_LOST.search(sentence):
        loser = int(match[1][0] in _WHITES)
    elif reason is None:
        return None
    else:
        return _end_without_sides(sentence, reason, position)
    loses = loser == position.turn
    if reason == _DEFAULT:
        return "LOSS_BY_DEFAULT" if loses else "WIN_BY_DEFAULT"
    if reason in (_OFFENCE, "SENNICHITE"):
        return OFFENCES[loser]
    if loses:
        return reason if reason in SIDE_TO_MOVE_LOSES else "TORYO"
    # A player cannot resign or run out of time in the opponent's turn. Such an end means that the player left the game,
    # which breaks the rules of most servers.
    return "KACHI" if reason in ("KACHI", "JISHOGI") else OFFENCES[loser]


def _end_without_sides(sentence: str, reason: str, position: Position) -> str | None:
    if reason == _DEFAULT:
        return "LOSS_BY_DEFAULT" if "敗" in sentence else "WIN_BY_DEFAULT"
    if "連続王手" in sentence:
        offender = {"win": 1 - position.turn, "loss": position.turn}.get(position.repetition() or "")
        return None if offender is None else OFFENCES[offender]
    if reason == _OFFENCE:
        return OFFENCES[1 - position.turn] if WON_BY_OFFENCE in sentence else "ILLEGAL_MOVE"
    return reason


def last_words(record: GameRecord) -> str:
    """The words for a game's end. Raises UserError for an end that is none of TERMINALS."""
    if record.terminal in OFFENCES:
        return "反則負け" if OFFENCES.index(record.terminal) == record.turn else WON_BY_OFFENCE
    if record.terminal not in _WORDS:
        raise UserError("{text!r} is no way to end a game", text=record.terminal)
    return _WORDS[record.terminal]
