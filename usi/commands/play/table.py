"""A game against a person on the terminal: output and typed commands."""
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

import click

from engine import BLACK, WHITE
from engine.errors import Listed, UserError
from engine.records.formats import SUFFIXES
from engine.records.handicaps import names_of_sides
from engine.records.kif import format_kif
from engine.records.record import GameRecord
from search import Info, Limits, Result, Searcher, Settings
from search.skill import Skill, WeakSearch
from usi.commands.play.game import GameInPlay, names_of_players, settings_of_play
from usi.commands.play.signals import Signals, TimeIsUp, alarm
from usi.commands.play.typed import EXAMPLES, read_move
from usi.commands.records import lost_of, lost_told, write_game, write_new_game
from usi.console.streams import unguarded
from usi.console.terminal import MOVETIME_MS, columns, has_colours, interrupts, show
from usi.words.language import _, hand_name, side_name, translate
from usi.words.reasons import reason
from usi.words.wording import (
    Style,
    columns_of,
    diagram,
    expected_score,
    format_last_move,
    format_line,
    format_move,
    japanese_diagram,
    last_move,
    show_own_score,
)

FORCE = "--force "
MOVES_IN_A_ROW = {"japanese": 6, "usi": 12}

HELP = """\
A move is typed as {examples}; other commands:
  undo        take back your last move, and the answer
  hint        what the engine would play, and what it expects
  moves       all legal moves
  board       show the board again;  flip  shows it from the other side;  sfen  prints the position
  declare     win by declaration, if your king has entered and all is there
  resign      give up
  save FILE   write the game to FILE{endings};  save --force FILE  replaces another game
  record      show the game as it would be written
  help        this list
  quit        leave"""

_JAPANESE = {
    "待った": "undo", "待った！": "undo", "ヒント": "hint", "合法手": "moves", "盤面": "board", "反転": "flip",
    "局面": "sfen", "入玉宣言": "declare", "宣言": "declare", "投了": "resign", "保存": "save", "棋譜": "record",
    "ヘルプ": "help", "？": "help",
}


@dataclass(frozen=True)
class Resumed:
    """A saved game to continue. `file` is None if replacing it would lose more than this game."""

    record: GameRecord
    file: Path | None

    def is_in(self, path: Path) -> bool:
        return self.file is not None and path.resolve() == self.file.resolve()

    def goes_on_in(self, record: GameRecord) -> bool:
        """Whether the file may be replaced by this record, which then has all its moves and more."""
        old = self.record.moves
        return record.moves[:len(old)] == old


@dataclass(eq=False)
class Table:
    """A game between the person and the engine, shown on the terminal; typed commands are carried out."""

    game: GameInPlay
    person: int
    searcher: Searcher
    limits: Limits
    style: Style
    signals: Signals
    file: Path | None       # the game is saved there after every move and at the end; None: its name is asked for then
    replaces: bool          # it may replace an existing file
    level: int
    resumed: Resumed | None

    def __post_init__(self) -> None:
        self._from_white = self.person == WHITE
        self._obey: dict[str, Callable[[str], None]] = {
            "undo": self._undo, "hint": self._hint, "moves": self._moves, "board": self._board, "flip": self._flip,
            "sfen": self._sfen, "declare": self._declare, "win": self._declare, "resign": self._resign,
            "save": self._save, "record": self._record, "help": self._help, "?": self._help,
        }
        self._obey |= {japanese: self._obey[word] for japanese, word in _JAPANESE.items()}
        self._turn_began = 0.0
        self._has_quit = False
        self._saved: GameRecord | None = None
        self._own: set[Path] = set()            # files that this game was written to
        self._last_file: Path | None = None     # the last of them

    def sit_down(self) -> None:
        """Play until the person leaves, then save the game. Raises KeyboardInterrupt after Ctrl-C at the prompt,
        SystemExit after another signal. From then on signals are ignored."""
        try:
            try:
                self._play()
            except KeyboardInterrupt:
                with suppress(OSError):         # the window may be closed by now
                    click.echo("\n" + _("interrupted"))
                self._leave(asks=True)
                raise
            else:
                self.signals.ignore()
            self._leave(asks=self._has_quit)
        except BaseException:
            self.signals.ignore()
            raise

    @property
    def is_saved(self) -> bool:
        """Whether a game that was to be saved has been."""
        return self.file is None or self._saved == self._record_now()

    def save_at_last(self, was_asked: bool = False) -> None:
        """Save an unsaved game to its file, or, unless the person `was_asked`, to the file of the last save. The caller
        must have ignored signals."""
        if self.file is None and not was_asked:
            self.file = self._last_file
        with suppress(OSError):     # output fails if the window is gone
            if self.file and self._saved != self._record_now():
                self._save_to_file()

    def _leave(self, asks: bool) -> None:
        if self.file:
            self._save_to_file()
        if asks:
            with self.signals.heard_again():
                self._offer_to_save()

    def _play(self) -> None:
        side = side_name(self.person)
        show(_("You are {side}. Type a move such as 7g7f or 76歩, or help.", side=side)
             if self.style == "japanese" else
             _("You are {side}. Type a move such as 7g7f, or help.", side=side))
        self._begin_turn()
        for line in self._lines():
            word, _blank, argument = line.replace("\u3000", " ").strip().partition(" ")
            if word.lower() in ("quit", "exit", "終了"):
                self._has_quit = True
                return
            try:
                if word.lower() in self._obey:
                    self._obey[word.lower()](argument.strip())
                elif word:
                    self._take_move(line.strip())
            except UserError as fault:
                show(fault.told(translate))

    # The course of the game

    def _begin_turn(self) -> None:
        """Make the engine's move, if it is its turn; then the person's turn begins."""
        if not self.game.ending and self.game.turn != self.person:
            self._let_engine_move()
        self._board("")
        if self.game.ending:
            show(_("{ending}. {result} (undo, save FILE or quit)", ending=self.game.ending.text,
                   result=self._result()))
        self._turn_began = time.monotonic()

    def _let_engine_move(self) -> None:
        position = self.game.position
        result = self._search()
        if result.outcome == "declaration":
            with self._changing():
                self.game.declare(result.time_ms)
        else:
            assert result.bestmove      # when mated the game is over
            shown = format_move(position, result.bestmove, self.style)
            with self._changing():
                self.game.make_move(result.bestmove, result.time_ms)
            show(_("Gakushi plays {move}  ({seconds:.1f} s)", move=shown, seconds=result.time_ms / 1000))

    def _search(self) -> Result:
        game = self.game
        limits = self.limits
        if game.clock.is_limited and limits.movetime is None:
            limits = limits.with_time(game.clock.shown())
        settings, skill = settings_of_play(game.rule), Skill.of_level(self.level)
        with interrupts(self.searcher):
            if skill is None:
                return self.searcher.search(game.position, limits, settings)
            weak = WeakSearch(skill, Random())
            return weak.played(self.searcher.search(game.position, limits, skill.settings(settings), weak.hear))[0]

    def _take_move(self, text: str) -> None:
        self._require_open()
        move = read_move(self.game.position, text)
        self._end_turn(lambda milliseconds: self.game.make_move(move, milliseconds))

    def _end_turn(self, change: Callable[[int], None]) -> None:
        """End the person's turn by a change of the game, which gets the milliseconds used."""
        with self._changing():
            change(self._elapsed_ms())
        self._begin_turn()

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Hold signals back while the game changes and is saved."""
        with self.signals.held():
            yield
            if (file := self.file) and (target := self._write(file, self.replaces)) and target != file:
                show(_("{file} exists, so the game was saved to {path}", file=file, path=target))

    def _lines(self) -> Iterator[str]:
        """The lines that the person types, until the end of the input. The person's time runs out on the second, even
        while nothing is typed; on systems without an alarm, before the next line is used."""
        while True:
            try:
                with alarm(self._seconds_left()):
                    line = input(self._prompt())
            except TimeIsUp:
                click.echo()
                self._end_turn(self.game.run_out_of_time)
                continue
            except EOFError:
                click.echo()
                self._has_quit = sys.stdin.isatty()     # Ctrl-D, by somebody who can be asked
                return
            if (left := self._seconds_left()) is not None and left < 0:
                self._end_turn(self.game.run_out_of_time)
            yield line

    def _seconds_left(self) -> float | None:
        """The seconds until the person, whose turn it is, runs out of time; None without a limit."""
        allowed = None if self.game.ending else self.game.clock.allowed(self.game.turn)
        return None if allowed is None else allowed / 1000 - (time.monotonic() - self._turn_began)

    def _require_open(self) -> None:
        if self.game.ending:
            raise UserError("the game is over: undo, save FILE or quit")

    def _elapsed_ms(self) -> int:
        return round((time.monotonic() - self._turn_began) * 1000)

    # What is shown

    def _prompt(self) -> str:
        game = self.game
        clocks = ", ".join(f"{name} {game.clock.text(side)}" for name, side in ((_("you"), self.person),
                                                                                ("Gakushi", 1 - self.person)))
        return _("move {number} [{clocks}] > ", number=game.position.move_number, clocks=clocks)

    def _result(self) -> str:
        winner = self.game.winner
        return _("Nobody wins.") if winner is None else _("You win!") if winner == self.person else _("Gakushi wins.")

    def _board(self, _argument: str) -> None:
        position = self.game.position
        sides = names_of_sides(position.initial_sfen)
        board = (japanese_diagram(position.sfen, self._from_white, sides) if self.style == "japanese" else
                 diagram(position.sfen, self._from_white, (hand_name(BLACK), hand_name(WHITE))))
        previous = last_move(position)
        if previous and has_colours():
            click.echo("\n".join(["", *self._marked(board, previous[2:4])]), file=unguarded(sys.stdout))
        else:
            click.echo("\n".join(["", *board]))
        if previous:
            show(_("last move: {move}", move=format_last_move(position, self.style))
                 + (_(", check") if position.in_check else ""))

    def _marked(self, board: list[str], square: str) -> list[str]:
        """The lines of a board with the cell of a square in reverse video."""
        file, rank = int(square[0]), ord(square[1]) - ord("a") + 1
        column, row = (file - 1, 9 - rank) if self._from_white else (9 - file, rank - 1)
        above, before, width = (3, 1, 2) if self.style == "japanese" else (2, 0, 3)    # lines, and letters of a cell
        line, start = board[above + row], before + width * column
        board[above + row] = line[:start] + click.style(line[start:start + width], reverse=True) + line[start + width:]
        return board

    def _flip(self, _argument: str) -> None:
        self._from_white = not self._from_white
        self._board("")

    def _sfen(self, _argument: str) -> None:
        click.echo(self.game.position.sfen)

    def _moves(self, _argument: str) -> None:
        position = self.game.position
        shown = [format_move(position, move, self.style) for move in sorted(position.legal_moves())]
        width = columns()
        fitting = (width - 2) // (max(map(columns_of, shown), default=0) + 1) if width else len(shown)
        in_a_row = max(1, min(MOVES_IN_A_ROW[self.style], fitting))
        for start in range(0, len(shown), in_a_row):
            click.echo("  " + " ".join(shown[start:start + in_a_row]))
        show(_("1 legal move") if len(shown) == 1 else _("{count} legal moves", count=len(shown)))

    def _help(self, _argument: str) -> None:
        show(*_(HELP, examples=EXAMPLES, endings=Listed(SUFFIXES, " or ")).splitlines(), indent=14)

    # What changes the game

    def _undo(self, _argument: str) -> None:
        """Take back to the person's last turn; after the end of a game, to the turn that ended it."""
        if (plies := self.game.plies_back(self.person)) is None:
            raise UserError("there is no move of yours to take back")
        self.game.take_back(plies)
        self._begin_turn()

    def _hint(self, _argument: str) -> None:
        self._require_open()
        began = time.monotonic()
        position = self.game.position
        lines: list[tuple[str, ...]] = []

        def hear(info: Info) -> None:
            if info.bound != "upper":
                lines.append(info.pv)

        with interrupts(self.searcher):
            result = self.searcher.search(
                position, self.limits.with_time(self.limits.movetime or MOVETIME_MS),
                Settings(entering_king_rule=self.game.rule), hear)
        if result.bestmove is None:
            show(_("declare: your king has entered"))
        else:
            line = format_line(position, lines[-1] if lines else (result.bestmove,), self.style)
            show(_("hint: {line}  ({score}, {expected:.0%} for you)", line=line, score=show_own_score(result.score),
                   expected=expected_score(result.score)))
        self._turn_began += time.monotonic() - began    # it is not the person's time

    def _declare(self, _argument: str) -> None:
        self._require_open()
        self._end_turn(self.game.declare)

    def _resign(self, _argument: str) -> None:
        self._require_open()
        self._end_turn(self.game.resign)

    def _save(self, argument: str) -> None:
        name = argument.removeprefix(FORCE).strip()
        if not name:
            raise UserError("save needs the name of a file that ends in {endings}", endings=Listed(SUFFIXES, " or "))
        self._save_as(name, replaces=name != argument)

    def _save_to(self, path: Path, replaces: bool) -> None:
        """Write the game so far, or say why that fails. If the file holds another game, this one gets a name with a
        number, unless it `replaces` the other."""
        if target := self._write(path, replaces):
            show(_("saved to {path}", path=target) if target == path else
                 _("{file} exists, so the game was saved to {path}", file=path, path=target))
            if lost := lost_of(target, self._record_now()):
                show(lost_told(target, lost))

    def _save_as(self, name: str, replaces: bool = False) -> None:
        """Save under a name that was typed: ~ is the home folder, and missing folders are not made, because they may be
        typing errors."""
        path = Path(name)
        with suppress(RuntimeError):        # there is no home
            path = path.expanduser()
        if path.parent.is_dir():
            self._save_to(path, replaces)
        else:
            show(_("not saved: there is no folder {folder}; make it, or name another", folder=path.parent))

    def _save_to_file(self) -> None:
        assert self.file
        self._save_to(self.file, self.replaces)

    def _write(self, path: Path, replaces: bool) -> Path | None:
        """The file to which the game so far was written; None, after saying why, if that failed."""
        record = self._record_now()
        with self.signals.held():
            try:
                if replaces or self._is_own(path, record):
                    write_game(record, path)
                    target = path
                else:
                    target = write_new_game(record, path)
            except (OSError, ValueError) as fault:
                show(_("not saved: {reason}", reason=reason(fault)))
                return None
            self._saved = record
            self._own.add(target.resolve())
            self._last_file = target
            if path == self.file:
                self.file = target
            return target

    def _is_own(self, path: Path, record: GameRecord) -> bool:
        """Whether this game's record may replace the file: it was written there before. The file of a resumed game is
        not replaced if that would lose moves taken back since."""
        if self.resumed and self.resumed.is_in(path):
            return self.resumed.goes_on_in(record)
        return path.resolve() in self._own

    def _offer_to_save(self) -> None:
        """Ask for a file name until the game is saved, or the person wants none."""
        while self.game.position.moves and self._saved != self._record_now():
            try:
                with alarm(None):
                    name = input(_("Save the game as (Enter: do not save): ")).strip()
            except EOFError:
                click.echo()
                return
            if not name:
                return
            self._save_as(name)

    def _record_now(self) -> GameRecord:
        return self.game.record(self._names())

    def _record(self, _argument: str) -> None:
        click.echo(format_kif(self._record_now()), nl=False)

    def _names(self) -> tuple[str, str]:
        if self.resumed and all(self.resumed.record.names):
            return self.resumed.record.names
        return names_of_players(self.person, self.level)
