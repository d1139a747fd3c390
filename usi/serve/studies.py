"""Games on the analysis page: opened from files or made there, with the engine's analysis."""
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Any

from engine import BLACK, WHITE
from engine.errors import UserError
from engine.records.formats import READ_SUFFIXES, SUFFIXES
from engine.records.handicaps import names_of_sides
from engine.records.jkf import format_jkf, parse_jkf
from engine.records.record import GameRecord
from engine.records.writing import told_parts, written
from engine.system.cpu import VERSION
from usi.commands.analyze.analysis import Analysis, Assessment, kept
from usi.commands.analyze.report import (
    ANALYSED,
    FACTS,
    commented,
    handicap_names,
    own_comment,
    page_node,
    turning_ply,
)
from usi.commands.analyze.work import GameJournal
from usi.commands.records import files_of, find_games, left_out
from usi.files.journal import Journal, read_journal
from usi.files.locking import Locked
from usi.files.reading import is_file, read_text_file
from usi.files.writing import write_new
from usi.pages.pages import game_data
from usi.serve.memory import Memory
from usi.serve.trees import Variation, changed
from usi.words.language import translate
from usi.words.wording import MARKS

STUDIES = "studies"
HELD = 64               # studies that the server holds; others are read again
MOST_FILES = 5000       # of a folder that are shown
MOST_GAMES = 500        # of a file
LONGEST_NAME = 100


class Journals:
    """The journals that are being written, each opened once, although several studies may share a game."""

    def __init__(self) -> None:
        self._open: dict[Path, GameJournal] = {}

    def open(self, path: Path, record: GameRecord, conditions: dict[str, Any]) -> GameJournal:
        """The journal of a game, open until `close`. A damaged one is begun anew: its looks can be repeated. Raises
        Locked if another process is writing it, OSError."""
        if path not in self._open:
            kind = kept(record)
            try:
                self._open[path] = Journal(path, kind, conditions)
            except Locked:
                raise
            except UserError:
                path.unlink()
                self._open[path] = Journal(path, kind, conditions)
        return self._open[path]

    def close(self, path: Path) -> None:
        """Close a journal. A writer opens it again."""
        if journal := self._open.pop(path, None):
            journal.close()


@dataclass
class Study:
    """A game with its analysis."""

    id: str
    name: str                               # of its file; "" if it has none
    record: GameRecord
    journal: Path                           # where the engine's looks are kept
    conditions: dict[str, Any]
    journals: Journals
    analysis: Analysis = field(init=False)

    def __post_init__(self) -> None:
        self.load()

    def load(self) -> None:
        """Load the stored looks, which may be fewer than the positions."""
        found: dict[tuple[int, int], Assessment] = {}
        with suppress(OSError, UserError):      # none yet, or a damaged file, which is begun anew
            found = read_journal(self.journal, kept(self.record))[1]
        self.analysis = Analysis(self.record)
        for ply in range(len(self.record.moves) + 1):
            if (ply, 0) not in found:
                break
            self.analysis = self.analysis.plus(found[ply, 0])
        for (ply, look), each in sorted(found.items(), key=lambda item: item[0][1]):
            if look and ply < len(self.analysis.looks):
                self.analysis = self.analysis.plus(each)

    def keep(self, found: Assessment) -> None:
        """Add a look of the engine's, and store it. Raises Locked if another process is writing the journal, and
        OSError."""
        self.analysis = self.analysis.plus(found)
        self.journals.open(self.journal, self.record, self.conditions).add((found.ply, found.look), found)

    def close(self) -> None:
        """Close the journal, until the next look is stored."""
        self.journals.close(self.journal)

    def told(self) -> dict[str, Any]:
        """The whole study, as data for the page."""
        record = self.record
        return {
            "event": "study", "study": self.id, "name": self.name,
            "facts": {label: value for key, label in FACTS.items() if (value := record.headers.get(key))},
            "handicap": handicap_names(record), "marks": [mark.symbol for mark in MARKS],
            "leftOut": left_out(record), "done": len(self.analysis.looks),
            "game": game_data(record) | {"nodes": [self.node(ply) for ply in range(len(record.moves) + 1)],
                                         "turning_point": self.turning_point} | ANALYSED,
        }

    @property
    def turning_point(self) -> int | None:
        """The number of the move that lost the balance for good, if there is one. None until the whole game has been
        analysed, because a later move may be that one."""
        return turning_ply(self.analysis) if self.analysis.is_whole else None

    def node(self, ply: int) -> dict[str, Any]:
        """The page's data about the position after `ply` moves."""
        if ply < len(self.analysis.looks):
            return page_node(self.analysis, ply)
        return {"centipawns": None, "mate": None, "expected": None, "special": None, "lines": [], "mark": None,
                "lost_expected": None, "lost_centipawns": None, "missed_mate": None, "mate_by_checks": None,
                "comment": own_comment(record=self.record, ply=ply)}

    def title(self) -> dict[str, Any]:
        """The study's title in a list of games."""
        record = self.record
        return {"study": self.id, "name": self.name, "names": list(record.names), "plies": len(record.moves),
                "titles": list(names_of_sides(record.initial_sfen)), "sfen": record.initial_sfen,
                "date": record.headers.get("START_TIME"),
                "done": len(self.analysis.looks)}

    def mistakes(self) -> list[dict[str, Any]]:
        """The marked moves that serve as exercises: each with the side that played it, and its loss."""
        return [{"study": self.id, "ply": each.ply, "side": each.side, "mark": each.mark.symbol,
                 "lost": round(each.lost_expected, 4),
                 "player": self.record.names[each.side],
                 "key": sha256(f"{each.before.sfen} {each.move}".encode()).hexdigest()[:16]}
                for each in self.analysis.judgements if each.mark and each.deepest.candidates]


class Collection:
    """All studies, and the folder that the page may see. No path leads out of the folder, and no file in it is
    replaced."""

    def __init__(self, folder: Path, memory: Memory, evaluation: str, named: str = "") -> None:
        """`evaluation` identifies the engine's evaluation: looks by another one do not count. The file `named` in the
        folder may be opened whatever its ending, and even if it is a link."""
        self.folder = folder
        self._memory = memory
        self._evaluation = evaluation
        self._named = named
        self._journals = Journals()
        self._studies: OrderedDict[str, Study] = OrderedDict()
        self._files: dict[str, str] = {}        # of studies that were read from the folder

    def files(self) -> dict[str, Path]:
        """The records in the folder, by their names below it."""
        root = self.folder.resolve()
        found = (path for path in files_of((self.folder,)) if path.resolve().is_relative_to(root) and path.is_file())
        return {path.relative_to(self.folder).as_posix(): path
                for path, _number in zip(found, range(MOST_FILES), strict=False)}

    def open_file(self, name: str) -> list[Study]:
        """The studies of the games of a file in the folder, stored for the next start. Raises as `read`."""
        return [self._taken_up(study) for study in self.read(name)]

    def read(self, name: str) -> list[Study]:
        """The games of a file in the folder, as studies that are not stored. Raises UserError if the file is not there
        or is no record, and OSError."""
        path = self.folder / name
        if not is_file(str(path)) or not (name == self._named or self._shows(path)):
            raise UserError("'{file}' is not in the folder", file=name)
        return self._read(read_text_file(path), name)

    def _shows(self, path: Path) -> bool:
        return path.suffix.lower() in READ_SUFFIXES and path.resolve().is_relative_to(self.folder.resolve())

    def open(self, data: bytes, name: str) -> list[Study]:
        """The studies of the games of a file's data, stored for the next start. Raises UserError if there are none."""
        return [self._taken_up(study) for study in self._read(data, name)]

    def _read(self, data: bytes, name: str) -> list[Study]:
        records = find_games(data, strict=False).records[:MOST_GAMES]
        digest = sha256(name.encode(errors="replace") + b"\0" + data).hexdigest()[:20]
        studies = []
        for number, record in enumerate(records, 1):
            study = self._new(f"{digest}-{number}", name, record)
            self._files[study.id] = name
            studies.append(study)
        return studies

    def begin(self, record: GameRecord, name: str = "") -> Study:
        """A new study of a game that is in no file."""
        study = self._new(token_hex(10), name, record)
        self._keep(study)
        return study

    def study(self, name: str) -> Study:
        """The study of this name. Raises UserError if there is none."""
        if name in self._studies:
            self._studies.move_to_end(name)
            return self._studies[name]
        if f"{STUDIES}/{name}" in self._memory.names(STUDIES):
            known = self._memory.read(f"{STUDIES}/{name}")
            with suppress(UserError, KeyError, TypeError, AttributeError):
                if known:
                    record = parse_jkf(known["record"], False)[0]
                    return self._hold(self._new(name, str(known["name"]), record))
        if name in self._files:
            with suppress(UserError, OSError):
                for study in self.read(self._files[name]):
                    if study.id == name:
                        return self._hold(study)
        raise UserError("this game is no longer there")

    def change(self, study: Study, moves: tuple[str, ...], lines: tuple[Variation, ...]) -> None:
        """Replace a study's moves and variations by the page's. Raises UserError and OSError."""
        record = changed(study.record, moves, lines)
        study.close()
        study.record = record
        study.journal, study.conditions = self._journal(study.record)
        study.load()
        self._keep(study)

    def save(self, study: Study, name: str, analysed: bool) -> tuple[Path, str]:
        """Save a study in the folder under a new name, whose ending decides the format. Returns the file, and the parts
        that it cannot hold, in words. Raises UserError for what is no file name, OSError."""
        if not name.strip(". ") or len(name) > LONGEST_NAME or any(letter in '/\\:*?"<>|' or letter < " "
                                                                   for letter in name):
            raise UserError("'{file}' is no name for a file here; give one without / or \\", file=name)
        data, lost = self.written(study, Path(name).suffix, analysed)
        return write_new(self.folder / name, data), lost

    def written(self, study: Study, suffix: str, analysed: bool) -> tuple[bytes, str]:
        """A study as the bytes of a file with this ending, and the parts that such a file cannot hold, in words. Raises
        UserError."""
        record = commented(study.analysis) if analysed and study.analysis.looks else study.record
        data, lost = written(Path(f"game{suffix}"), [record], strict=False)
        return data, told_parts(lost, " and ").told(translate) if lost else ""

    def _new(self, name: str, file: str, record: GameRecord) -> Study:
        return Study(name, file, record, *self._journal(record), self._journals)

    def _taken_up(self, study: Study) -> Study:
        """The study of the same game that a tab has open, with all looks stored by now; if there is none, this one,
        stored for the next start."""
        known = self._studies.get(study.id)
        if known and known.record == study.record:
            known.analysis = max(known.analysis, study.analysis, key=lambda each: sum(map(len, each.looks)))
            study = known
        self._keep(study)
        return study

    def _hold(self, study: Study) -> Study:
        self._studies[study.id] = study
        self._studies.move_to_end(study.id)
        while len(self._studies) > HELD:
            self._studies.popitem(last=False)
        return study

    def _keep(self, study: Study) -> None:
        """Store a study for the next start."""
        self._hold(study)
        self._memory.write(f"{STUDIES}/{study.id}", {"name": study.name, "record": format_jkf(study.record)})

    def _journal(self, record: GameRecord) -> tuple[Path, dict[str, Any]]:
        """The journal's file for looks at a game, and its conditions, the same whenever the game is opened."""
        conditions = {"version": VERSION, "evaluation": self._evaluation,
                      "game": " ".join(["sfen", record.initial_sfen, "moves", *record.moves])}
        digest = sha256("\n".join(conditions.values()).encode()).hexdigest()[:20]
        return self._memory.folder / "analyses" / f"{digest}.jsonl", conditions


def formats() -> list[dict[str, str]]:
    """The formats that games can be saved in."""
    return [{"suffix": suffix, "name": form.name, "encoding": form.suffixes[suffix]}
            for suffix, form in SUFFIXES.items()]


def players(studies: list[Study]) -> list[str]:
    """The players of these games, the ones with the most games first."""
    counts: dict[str, int] = {}
    for study in studies:
        for side in (BLACK, WHITE):
            if name := study.record.names[side]:
                counts[name] = counts.get(name, 0) + 1
    return sorted(counts, key=lambda name: (-counts[name], name))
