"""A .pxd cimports only what its own text uses, and a .pyx only what it uses beyond its .pxd; cython-lint looks at .pyx
files alone."""
import re
from pathlib import Path

from tests.each import each
from tests.test_layering import BELOW_USI, ROOT, code_of

CIMPORT = re.compile(r"^[ \t]*from[ \t]+([\w.]+)[ \t]+cimport[ \t]+(\([^)]*\)|[^\n]*)", re.MULTILINE)
SOURCES = [path for room in sorted(BELOW_USI) for path in sorted((ROOT / room).rglob("*.p[xy][dx]"))]
# In place of these search/counted.pyx, which includes the .pyx, has its own.
USED_ELSEWHERE = {("search/tree/alphabeta.pxd", "qsearch")} | {
    (f"search/tree/{name}.pxd", each) for name in ("alphabeta", "qsearch")
    for each in ("tt_cutoff", "tt_probe", "tt_store", "tt_store_evaluation")}


def unused(text: str) -> set[str]:
    """The names that a source cimports and does not use."""
    code = code_of(text)
    names = {name.split()[-1] for match in CIMPORT.finditer(code)
             for name in match[2].strip("() \t\n").split(",") if name.strip()}
    rest = CIMPORT.sub("", code)
    return {name for name in names if not re.search(rf"\b{name}\b", rest)}


def cimported(text: str) -> set[str]:
    return {name.strip() for match in CIMPORT.finditer(code_of(text))
            for name in match[2].strip("() \t\n").split(",") if name.strip()}


TEXT = '''
"""B."""
from a cimport (B, C as D,
               e)
from f cimport g, h

cdef void k(e x) noexcept:
    h()    # D
'''


def test_unused_cimports_are_found() -> None:
    assert unused(TEXT) == {"B", "D", "g"}


@each("path", [path for path in SOURCES if "include \"" not in path.read_text(encoding="utf-8")])
def test_every_cimport_is_used(path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    assert {each for each in unused(path.read_text(encoding="utf-8")) if (name, each) not in USED_ELSEWHERE} == set()


@each("path", [path for path in SOURCES if path.suffix == ".pyx" and path.with_suffix(".pxd").exists()])
def test_a_pyx_does_not_repeat_the_cimports_of_its_pxd(path: Path) -> None:
    """They are one namespace."""
    own, declared = (cimported(each.read_text(encoding="utf-8")) for each in (path, path.with_suffix(".pxd")))
    assert own & declared == set()


@each("path", [path for path in SOURCES if path.suffix == ".pyx"])
def test_every_pyx_begins_with_a_sentence(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.match(r'(#[^\n]*\n)*"""[^"]*\."""|(#[^\n]*\n)*"""[^"]*\.\n', text), "a docstring comes first"
