"""Imports run one way, also between the rooms within `search`, `usi` and `scripts`; only `usi` talks, and nothing below
`search` knows of time (docs/ARCHITECTURE.md)."""
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parent.parent

MAY_IMPORT = {
    "engine": {"engine"},
    "tt": {"tt", "engine.types", "engine.atomic", "engine.system", "engine.errors"},
    "eval": {"eval", "engine"},
    "search": {"search", "eval.evaluator", "eval.loading", "tt", "engine"},     # whichever evaluation it is
    "usi": {"usi", "search", "eval", "tt", "engine"},
}
# Rooms within those. Records need the board, never the other way; learning needs NumPy; the tree knows nothing of what
# starts a search, and the mate solver shares nothing with it but mate in one.
MAY_IMPORT |= {
    "engine.system": {"engine.system", "engine.types"},
    "engine.records": {"engine"},
    "tt.statistics": MAY_IMPORT["tt"],
    "eval.network": {"eval", "engine"},
    "eval.tables": {"eval", "engine"},
    "eval.learning": {"eval", "engine"},
    "search.tree": {"search.tree", "search.parameters", "search.mate.mate1", "eval.evaluator", "tt", "engine"},
    "search.mate": {"search.mate", "engine"},
}
APART = {       # who may not import each
    "engine.records": {"engine", "tt", "eval", "search", "search.tree", "search.mate"},
    "tt.statistics": {"tt"},
    "eval.network": {"eval.tables"},
    "eval.tables": {"eval.network"},
    "eval.learning": {"eval", "eval.network", "eval.tables"},
    "search.mate": {"search"},
}
SHARED = {"search.mate.mate1"}          # with those who are apart
# The package says what writes and reads a move as people do, and it is loaded when a method of Position needs it.
# Of the commands, only the one that speaks USI knows the session.
CALLED = {("engine/__init__.py", "engine.records.moves")} | {
    ("usi/commands/usi.py", f"usi.session.{name}") for name in ("session.Session", "wire.Wire", "wire.lines_of")}
BELOW_USI = {"engine", "tt", "eval", "search"}
BELOW_SEARCH = {"engine", "tt", "eval"}
USI = {             # rooms of usi: what each may import of the others
    "words": set(),
    "client": set(),
    "files": {"words"},
    "book": {"files", "words"},
    "workers": {"client"},
    "session": {"book", "files", "words"},
    "pages": {"words"},
    "console": {"files", "words"},
    "commands": {"words", "client", "files", "book", "workers", "pages", "console"},
    "serve": {"words", "files", "pages", "console", "commands"},     # a command made of others: play, analyze, mate
}
SCRIPTS = {         # of scripts
    "stats": set(),
    "games": {"stats"},
    "cli": {"games"},
    "packaging": set(),
    "training": {"games", "cli"},
    "tuning": {"games", "stats", "training"},
}
MAY_IMPORT |= {f"usi.{room}": {f"usi.{each}" for each in {room, *others}} | BELOW_USI for room, others in USI.items()}
ABOVE_SCRIPTS = {"commands", "serve", "session"}
BELOW_SCRIPTS = BELOW_USI | {"usi.cli"} | {f"usi.{room}" for room in USI if room not in ABOVE_SCRIPTS}
MAY_IMPORT |= {f"scripts.{room}": {f"scripts.{each}" for each in {room, *others}} | BELOW_SCRIPTS
               for room, others in SCRIPTS.items()}
MAY_IMPORT["scripts"] = {f"scripts.{room}" for room in SCRIPTS} | BELOW_SCRIPTS      # the commands: none another
HOUSE = {"engine", "tt", "eval", "search", "usi", "scripts", "tests"}

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


def room_of(package: str) -> str:
    """The entry of MAY_IMPORT that holds for the modules of a package: the most particular."""
    return max((room for room in MAY_IMPORT if within(package, {room})), key=len)


def may_import(room: str, name: str) -> bool:
    is_apart = any(room in others and within(name, {each}) for each, others in APART.items())
    return within(name, MAY_IMPORT[room]) and (not is_apart or within(name, SHARED))


def faults(root: Path) -> list[str]:
    """A line "file:line: fault" for every arrow turned round under `root`."""
    found = []
    files = [path for top in ("engine", "tt", "eval", "search", "usi", "scripts") for path in (root / top).rglob("*")]
    for path in sorted(path for path in files if path.suffix in (".py", ".pyi", ".pyx", ".pxd")):
        place = path.relative_to(root)
        package = ".".join(place.parent.parts)
        room = room_of(package)
        code = code_of(path.read_text(encoding="utf-8"))

        def fault(offset: int, what: str) -> None:
            found.append(f"{place}:{code.count(chr(10), 0, offset) + 1}: {what}")  # noqa: B023 (used at once)

        for offset, name in imported(code, package):
            if within(name, HOUSE) and not may_import(room, name) and (str(place), name) not in CALLED:
                fault(offset, f"{room} imports {name}")
            elif path.suffix in (".pyx", ".pxd") and within(name, {"engine.records"}):
                fault(offset, f"{name} is not for what is compiled")
            if within(room, BELOW_SEARCH) and within(name, CLOCKS):
                fault(offset, f"{room} knows of time: {name}")
        if within(room, BELOW_USI):
            for match in TALK.finditer(code):
                fault(match.start(), f"{room} talks: {match.group()}")
    return found


def circle(root: Path) -> list[str]:
    """Modules of scripts that import one another in a ring; [] if none do."""
    modules = {".".join(path.relative_to(root).with_suffix("").parts): path
               for path in (root / "scripts").rglob("*.py") if path.name != "__init__.py"}
    imports: dict[str, set[str]] = {}
    for module, path in modules.items():
        code = code_of(path.read_text(encoding="utf-8"))
        names = {name for _, name in imported(code, module.rpartition(".")[0])}
        imports[module] = {other for other in modules if other != module and any(within(name, {other})
                                                                                  for name in names)}
    return ring(imports)


def ring(imports: dict[str, set[str]]) -> list[str]:
    """One ring of modules that import each other, if there is any."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_imports_run_one_way() -> None:
    assert faults(ROOT) == []


def test_scripts_import_in_no_circle() -> None:
    assert circle(ROOT) == []


def test_rooms_are_allowed_no_circle() -> None:
    assert ring(USI) == ring(SCRIPTS) == []


def test_every_room_has_its_rule() -> None:
    for top, rooms in (("usi", USI), ("scripts", SCRIPTS)):
        assert {path.parent.name for path in (ROOT / top).glob("*/__init__.py")} == set(rooms)


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
         "1: engine.records.csa.parse_csa is not for what is compiled"),
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
