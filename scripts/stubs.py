"""Copy the docstrings of compiled modules into their type stubs, where IDEs find them (make stubs)."""
import ast
import importlib
import inspect
import textwrap
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "tt", "eval", "search")

Documented = ast.ClassDef | ast.FunctionDef


def stubs() -> list[Path]:
    """The stubs of compiled modules."""
    return sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.pyi"))


def module_of(stub: Path) -> ModuleType:
    """The module that a stub describes."""
    return importlib.import_module(".".join(stub.relative_to(ROOT).with_suffix("").parts))


def documented(text: str, module: ModuleType) -> str:
    """The text of a stub with exactly the docstrings of its module."""
    lines = text.splitlines()
    nodes: list[tuple[Documented, object]] = []
    for node in ast.parse(text).body:
        if isinstance(node, Documented):
            nodes.append((node, module))
            if isinstance(node, ast.ClassDef):
                owner = getattr(module, node.name, None)        # None: a type for checkers alone
                nodes += [(member, owner) for member in node.body if isinstance(member, Documented)]
    for node, owner in reversed(nodes):         # from the end, so that the line numbers before stay valid
        if owner is not None and hasattr(owner, node.name):
            _document(lines, node, _doc(owner, node.name))
    return "\n".join(lines) + "\n"


def _doc(owner: object, name: str) -> str | None:
    """The docstring of a member; None if it has none, or only Python's standard text, as comparisons have."""
    member = inspect.getattr_static(owner, name)
    doc = getattr(member, "__func__", member).__doc__       # also for compiled class methods
    of_all = getattr(getattr(type, name, None), "__doc__", None) if name.startswith("__") else None
    return inspect.cleandoc(doc) if doc and doc != of_all else None


def _document(lines: list[str], node: Documented, doc: str | None) -> None:
    """Make `doc` the docstring of `node`, in place of any other."""
    indent = " " * (node.col_offset + 4)
    first = node.body[0]
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    shown = [] if doc is None else _quoted(doc, indent)
    if is_text:
        assert first.end_lineno
        has_own_line = not lines[first.lineno - 1][:first.col_offset].strip()
        others = len(node.body) > 1
        if has_own_line:
            lines[first.lineno - 1:first.end_lineno] = shown or ([] if others else [indent + "..."])
        elif shown:         # def f() -> int: ...
            lines[first.lineno - 1] = lines[first.lineno - 1][:first.col_offset].rstrip()
            lines[first.lineno:first.lineno] = shown
    elif shown:
        start = min([first.lineno, *(each.lineno for each in getattr(first, "decorator_list", []))])
        lines[start - 1:start - 1] = shown


def _quoted(doc: str, indent: str) -> list[str]:
    raw = "r" if "\\" in doc else ""
    quoted = f'{raw}"""{doc}"""'
    if "\n" in doc and (doc.splitlines()[-1].startswith((">>>", "...")) or not doc.rstrip().endswith((".", ":", ")"))):
        quoted = f'{raw}"""{doc}\n"""'
    return textwrap.indent(quoted, indent).splitlines()


def main() -> None:
    """Rewrite the stubs that are out of date."""
    for stub in stubs():
        text = stub.read_text(encoding="utf-8")
        if (new := documented(text, module_of(stub))) != text:
            stub.write_text(new, encoding="utf-8")
            print(f"{stub.relative_to(ROOT)} has the docstrings of its module now")


if __name__ == "__main__":
    main()
