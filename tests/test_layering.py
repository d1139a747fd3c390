"""Imports run one way, also between the packages of `scripts`, only `usi` talks, and nothing below `search` knows of
time (docs/ARCHITECTURE.md)."""
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parent.parent

MAY_IMPORT = {
    "engine": {"engine"},
    "tt": {"tt", "engine.types", "engine.atomic", "engine.system", "engine.arguments"},
    "eval": {"eval", "engine"},
    "search": {"search", "eval.evaluator", "eval.loading", "tt", "engine"},     # whichever evaluation it is
    "usi": {"usi", "search", "eval", "tt", "engine"},
}
ENGINE = set(MAY_IMPORT)
# Packages within those. Text and notation lie on two sides of the board; learning needs NumPy; the mate solver shares
# nothing with the search but mate in one.
MAY_IMPORT |= {
    "engine.system": {"engine.system", "engine.types"},
    "engine.text": {"engine.text"},
    "engine.notation": {"engine"},
    "tt.statistics": MAY_IMPORT["tt"],
    "eval.network": {"eval", "engine"},
    "eval.tables": {"eval", "engine"},
    "eval.learning": {"eval", "engine"},
    "search.mate": {"search.mate", "search.mate1", "engine"},
}
APART = {       # who may not import each
    "engine.notation": {"engine"},
    "tt.statistics": {"tt"},
    "eval.network": {"eval.tables"},
    "eval.tables": {"eval.network"},
    "eval.learning": {"eval", "eval.network", "eval.tables"},
    "search.mate": {"search"},
}
# Methods of Position that write and read a move as people do, and enter the room only when they are called.
CALLED = {("engine/board.pyx", "engine.notation.moves")}
PACKAGES = {        # of scripts: what each may import of the others
    "games": set(),
    "cli": {"games"},
    "runs": set(),
    "packaging": set(),
    "arena.stats": {"games"},
    "arena": {"games", "runs", "cli"},      # and arena.stats, which is within
    "training": {"games", "runs", "arena"},     # other engines judge
    "tuning": {"games", "runs", "arena", "training"},
}
MAY_IMPORT |= {f"scripts.{package}": {f"scripts.{each}" for each in {package, *others}} | ENGINE
               for package, others in PACKAGES.items()}
MAY_IMPORT["scripts"] = {f"scripts.{package}" for package in PACKAGES} | ENGINE      # the commands: none another
BELOW_USI = {"engine", "tt", "eval", "search"}
BELOW_SEARCH = {"engine", "tt", "eval"}

STRING_OR_COMMENT = re.compile(
    r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#[^\n]*'
)
FROM = re.compile(r"^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+c?import[ \t]+(\([^)]*\)|[^\n]*)", re.MULTILINE)
IMPORT = re.compile(r"^[ \t]*c?import[ \t]+([^\n]+)", re.MULTILINE)
TALK = re.compile(r"\b(print|printf|puts|putchar|input|scanf|getline)\s*\(|\bsys\s*\.\s*(stdin|stdout)\b")
CLOCKS = {"time", "datetime", "libc.time", "posix.time", "engine.system.clock"}


def code_of(text: str) -> str:
    """Strings and comments blanked, lines kept: what is left reads the same in Python and in Cython."""
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
            if within(name, {*ENGINE, "scripts", "tests"}) and not within(name, MAY_IMPORT[room]):
                fault(offset, f"{room} imports {name}")
            if (any(room in others and within(name, {apart}) for apart, others in APART.items())
                    and (str(place), name) not in CALLED):
                fault(offset, f"{room} imports {name}")
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
    imports = {}
    for module, path in modules.items():
        code = code_of(path.read_text(encoding="utf-8"))
        names = {name for _, name in imported(code, module.rpartition(".")[0])}
        imports[module] = {other for other in modules if other != module and any(within(name, {other})
                                                                                  for name in names)}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_imports_run_one_way() -> None:
    assert faults(ROOT) == []


def test_scripts_import_in_no_circle() -> None:
    assert circle(ROOT) == []


def test_a_turned_arrow_is_found(tmp_path: Path) -> None:
    for number, (file, text, fault) in enumerate((
        ("tt/table.pyx", "from engine.types cimport *\nfrom eval.material import value\n", "2: tt imports eval"),
        ("usi/deep/cli.py", '"""Text."""\nfrom ...scripts import match\n', "2: usi imports scripts.match"),
        ("scripts/games/rules.py", "import scripts.arena.usi_player\n",
         "1: scripts.games imports scripts.arena.usi_player"),
        ("search/worker.pxd", "from eval.tables.kpp cimport RefreshCache\n",
         "1: search imports eval.tables.kpp.RefreshCache"),
        ("engine/board.pyx", "from engine.notation.csa import parse_csa\n",
         "1: engine imports engine.notation.csa.parse_csa"),
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
