"""Imports run one way, also between the rooms within a package, and a name is of one class; only `usi` talks, and
nothing below `search` knows of time (docs/ARCHITECTURE.md)."""
import re
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent

# The rooms, and what each imports of others: rooms, without those within them, and single modules. Each arrow is there.
# Records need the board, never the other way; learning needs NumPy; the tree knows nothing of what starts a search, and
# the mate solver shares nothing with it but mate in one. Of scripts, only commands import what reads a command line.
MAY_IMPORT = {room: set(others.split()) for room, others in {
    "engine": "engine.system",
    "engine.system": "engine.types",
    "engine.records": "engine engine.system",
    "tt": "engine.types engine.atomic engine.errors engine.system",
    "eval": "eval.network eval.tables engine engine.system",
    "eval.network": "eval.arrays eval.features eval.material engine engine.system",
    "eval.tables": "eval.arrays eval.features engine engine.system",
    "eval.learning": "eval eval.network eval.tables engine engine.system",
    "search": "search.tree search.mate.mate1 tt eval.evaluator eval.loading engine engine.system",
    "search.tree": "search.parameters search.mate.mate1 tt eval.evaluator engine engine.system",
    "search.mate": "engine engine.system",
    "usi": "usi.commands usi.console usi.words engine engine.system",
    "usi.words": "search.limits eval.material engine.records engine",
    "usi.client": "search engine",
    "usi.files": "engine engine.system",
    "usi.book": "usi.files usi.words engine",
    "usi.workers": "usi.client usi.console.streams usi.words.extras search eval engine engine.system",
    "usi.session": "usi.book usi.files usi.words search search.mate eval eval.network engine engine.system",
    "usi.pages": "engine.records engine",
    "usi.console": "usi.files usi.words search eval engine.records engine",
    "usi.commands": "usi.words usi.files usi.book usi.workers usi.pages usi.console search search.mate tt "
                    "eval eval.network eval.tables eval.learning engine.records engine engine.system",
    # A command made of others: play, analyze, mate.
    "usi.serve": "usi.commands usi.words usi.files usi.pages usi.console search search.mate eval engine.records "
                 "engine engine.system",
    "gakushi": "usi.book usi.client search search.mate tt eval.learning engine.records engine",
    "scripts.stats": "engine",
    "scripts.games": "scripts.stats usi.words usi.client usi.files usi.workers usi.pages usi.console.settings "
                     "usi.console.progress search eval engine.records engine",
    "scripts.packaging": "",
    "scripts.training": "scripts.games usi.files usi.book usi.workers usi.console.settings usi.console.progress "
                        "usi.console.figure search eval eval.learning eval.network eval.tables engine.records engine "
                        "engine.system",
    "scripts.tuning": "scripts.games scripts.stats usi.files usi.workers search engine",
    "scripts.cli": "scripts.games scripts.training usi.words usi.console eval eval.network engine engine.system",
    # The commands: none imports another.
    "scripts": "scripts.cli scripts.games scripts.packaging scripts.stats scripts.training scripts.tuning usi.words "
               "usi.files usi.workers usi.console search eval eval.network eval.tables engine",
}.items()}
# The package says what writes and reads a move as people do, and it is loaded when a method of Position needs it.
# Of the commands, only the one that speaks USI knows the session.
CALLED = {("engine/__init__.py", "engine.records.moves")} | {
    ("usi/commands/usi.py", f"usi.session.{name}") for name in ("session.Session", "wire.Wire", "wire.lines_of")}
BELOW_USI = {"engine", "tt", "eval", "search"}
BELOW_SEARCH = {"engine", "tt", "eval"}
PACKAGES = ("engine", "tt", "eval", "search", "usi", "gakushi", "scripts")
HOUSE = {*PACKAGES, "tests"}

STRING_OR_COMMENT = re.compile(
    r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#[^\n]*'
)
FROM = re.compile(r"^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+c?import[ \t]+(\([^)]*\)|[^\n]*)", re.MULTILINE)
IMPORT = re.compile(r"^[ \t]*c?import[ \t]+([^\n]+)", re.MULTILINE)
TALK = re.compile(r"\b(print|printf|puts|putchar|input|scanf|getline)\s*\(|\bsys\s*\.\s*(stdin|stdout)\b")
CLOCKS = {"time", "datetime", "libc.time", "posix.time", "engine.system.monotonic"}


def code_of(text: str) -> str:
    """The code without strings and comments, line by line. The rest reads the same in Python and in Cython."""
    return STRING_OR_COMMENT.sub(lambda match: "\n" * match.group().count("\n"), text)


def imported(code: str, package: str) -> Iterator[tuple[int, str]]:
    """Offset and full name of everything imported or cimported by a module that lies in `package`."""
    for match in FROM.finditer(code):
        dots, module, names = match.groups()
        if dots:
            parents = package.split(".")
            module = ".".join([*parents[: len(parents) - len(dots) + 1], *filter(None, [module])])
        for name in names.strip("() \t\n").split(","):
            if name.strip():
                yield match.start(2), f"{module}.{name.split()[0]}"
    for match in IMPORT.finditer(code):
        for name in match[1].split(","):
            yield match.start(1), name.split()[0]


def within(name: str, modules: set[str]) -> bool:
    return any(name == module or name.startswith(module + ".") for module in modules)


@cache
def room_of(name: str) -> str:
    """The innermost room that holds a package, a module or a name of a module; "" if none does."""
    return max((room for room in MAY_IMPORT if within(name, {room})), key=len, default="")


def arrow(room: str, name: str) -> str | None:
    """The entry of MAY_IMPORT by which a room may import a name; None if it may not."""
    target = room_of(name)
    return target if target in MAY_IMPORT[room] else next(
        (other for other in MAY_IMPORT[room] - set(MAY_IMPORT) if within(name, {other})), None)


class Module(NamedTuple):
    path: Path
    package: str
    room: str
    code: str
    imports: list[tuple[int, str]]      # of everything: offset and full name

    def foreign(self) -> Iterator[tuple[int, str]]:
        """Its imports from other rooms and from `tests`."""
        return ((offset, name) for offset, name in self.imports if within(name, HOUSE) and room_of(name) != self.room)


@cache
def modules(root: Path) -> list[Module]:
    found = []
    for top in PACKAGES:
        for path in sorted((root / top).rglob("*")):
            if path.suffix in (".py", ".pyi", ".pyx", ".pxd"):
                package = ".".join(path.relative_to(root).parent.parts)
                code = code_of(path.read_text(encoding="utf-8"))
                found.append(Module(path, package, room_of(package), code, list(imported(code, package))))
    return found


def faults(root: Path) -> list[str]:
    """A line "file:line: fault" for every arrow turned round under `root`."""
    found = []
    for module in modules(root):
        path, room = module.path.relative_to(root), module.room

        def fault(offset: int, what: str) -> None:
            found.append(f"{path}:{module.code.count(chr(10), 0, offset) + 1}: {what}")  # noqa: B023 (used at once)

        for offset, name in module.foreign():
            if not arrow(room, name) and (str(path), name) not in CALLED:
                fault(offset, f"{room} imports {name}")
        for offset, name in module.imports:
            if within(room, BELOW_SEARCH) and within(name, CLOCKS):
                fault(offset, f"{room} knows of time: {name}")
        if within(room, BELOW_USI):
            for match in TALK.finditer(module.code):
                fault(match.start(), f"{room} talks: {match.group()}")
    return found


def circle(root: Path) -> list[str]:
    """Modules of usi, gakushi and scripts that import one another in a ring, also inside functions; [] if none do."""
    pure = {".".join(module.path.relative_to(root).with_suffix("").parts): module for module in modules(root)
            if within(module.package, {"usi", "gakushi", "scripts"}) and module.path.name != "__init__.py"}
    return ring({name: {other for other in pure if other != name
                        and any(within(each, {other}) for _, each in module.imports)}
                 for name, module in pure.items()})


def ring(imports: Mapping[str, set[str]]) -> list[str]:
    """One ring of modules that import each other, if there is any."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_imports_run_one_way() -> None:
    assert faults(ROOT) == []


def test_modules_import_in_no_circle() -> None:
    assert circle(ROOT) == []


def test_rooms_are_allowed_no_circle() -> None:
    assert ring(MAY_IMPORT) == []


def test_no_arrow_is_allowed_that_is_not_there() -> None:
    there = {(module.room, arrow(module.room, name)) for module in modules(ROOT) for _, name in module.foreign()}
    assert {(room, other) for room, others in MAY_IMPORT.items() for other in others} - there == set()
    assert {(str(module.path.relative_to(ROOT)), name) for module in modules(ROOT)
                      for _, name in module.foreign()} >= CALLED


def test_every_room_has_its_rule() -> None:
    assert set(MAY_IMPORT) == {".".join(path.relative_to(ROOT).parent.parts) for top in PACKAGES
                               for pattern in ("__init__.py", "*/__init__.py") for path in (ROOT / top).glob(pattern)}


def test_a_turned_arrow_is_found(tmp_path: Path) -> None:
    for number, (file, text, fault) in enumerate((
        ("tt/table.pyx", "from engine.types cimport *\nfrom eval.material import value\n", "2: tt imports eval"),
        ("usi/deep/cli.py", '"""Text."""\nfrom ...scripts import match\n', "2: usi imports scripts.match"),
        ("scripts/stats/elo.py", "import scripts.games.tally\n", "1: scripts.stats imports scripts.games.tally"),
        ("scripts/match.py", "from usi.commands.play.game import Game\n",
         "1: scripts imports usi.commands.play.game.Game"),
        ("usi/words/reasons.py", "from usi import session\n", "1: usi.words imports usi.session"),
        ("search/tree/see.pyx", "from search.pool cimport WorkerPool\n",
         "1: search.tree imports search.pool.WorkerPool"),
        ("search/skill.py", "from search.mate import solve\n", "1: search imports search.mate.solve"),
        ("search/tree/worker.pxd", "from eval.tables.kpp cimport RefreshCache\n",
         "1: search.tree imports eval.tables.kpp.RefreshCache"),
        ("engine/board.pyx", "from engine.records.csa import parse_csa\n",
         "1: engine imports engine.records.csa.parse_csa"),
        ("eval/learning/samples.pyx", "from engine.records.csa import parse_csa\n",
         "1: eval.learning imports engine.records.csa.parse_csa"),
        ("eval/tables/kpp.pyx", "from eval.network import LOGIT\n", "1: eval.tables imports eval.network.LOGIT"),
        ("engine/perft.pyx", "from posix.time cimport clock_gettime\n", "1: engine knows of time: posix.time"),
        ("search/pool.py", "x = 1\nprint(x)\n", "2: search talks: print("),
        ("tt/table.pyx", '"""\nimport usi\nprint(1)\n"""\n# import usi\nx = "print("\n', ""),
    )):
        path = tmp_path / str(number) / file
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
        found = faults(tmp_path / str(number))
        assert [each.startswith(f"{file}:{fault}") for each in found] == [True] * bool(fault)


def test_a_name_is_of_one_class() -> None:
    places: dict[str, list[str]] = {}
    for module in modules(ROOT):
        if module.path.suffix in (".py", ".pyx"):
            for name in re.findall(r"^(?:cdef )?class ([A-Z]\w*)", module.code, re.MULTILINE):
                places.setdefault(name, []).append(str(module.path.relative_to(ROOT)))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}
