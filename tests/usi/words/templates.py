"""The templates of all phrases and errors in the sources, with the fields that each is given."""
import ast
import io
import re
import tokenize
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import engine

ROOT = Path(engine.__file__).parents[1]
ROOMS = ("engine", "tt", "eval", "search", "usi", "gakushi", "scripts")
_CLASS = re.compile(r"^(?:cdef )?class (\w+)\((.*?)\)?:", re.MULTILINE)
_CONSTANT = re.compile(r'^(_?[A-Z_]+) = ("""(?s:.*?)"""|"(?:[^"\\]|\\.)*")$', re.MULTILINE)
_FIELD = re.compile(r"(?<!\{)\{(\w+)(?:![rs])?(?::[^{}]*)?\}")
_ATTRIBUTES = re.compile(r"def __init__\(self, template: str, /, (?:\*, )?([^*)]+)\*\*fields")


@dataclass(frozen=True)
class Use:
    """A call that makes a phrase or an error, or that tells one (`_`)."""

    place: str
    name: str                           # of the class, or _
    templates: tuple[str | None, ...]   # those that the call chooses from; None for one that is not a literal
    fields: frozenset[str] | None       # None if they are not spelt out
    source: str = field(default="", compare=False)


def sources() -> list[Path]:
    return sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py*") if path.suffix in (".py", ".pyx"))


@cache
def classes() -> dict[str, frozenset[str]]:
    """The classes of phrases and errors, with the keyword arguments of each that are attributes instead of fields."""
    bases: dict[str, set[str]] = {}
    attributes: dict[str, frozenset[str]] = {}
    for path in sources():
        text = path.read_text(encoding="utf-8")
        for found in _CLASS.finditer(text):
            bases[found[1]] = set(re.findall(r"\w+", found[2]))
            own = _ATTRIBUTES.search(text, found.end(), _end_of_class(text, found.end()))
            attributes[found[1]] = frozenset(re.findall(r"(\w+):", own[1])) if own else frozenset()
    known = {"Phrase"}
    while more := {name for name, of in bases.items() if of & known} - known:
        known |= more
    return {name: attributes.get(name, frozenset()) for name in known - {"Listed"}}


def _end_of_class(text: str, start: int) -> int:
    following = re.compile(r"^\S", re.MULTILINE).search(text, start)
    return following.start() if following else len(text)


@cache
def uses() -> tuple[Use, ...]:
    """Every call in the sources that makes a phrase or an error, or calls `_`."""
    return tuple(use for path in sources()
                 for use in uses_in(path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix()))


def uses_in(text: str, name: str) -> Iterator[Use]:
    constants = {found[1]: ast.literal_eval(found[2]) for found in _CONSTANT.finditer(text)}
    for line, called, call in _calls(text, {*classes(), "_", "ngettext"}, is_python=name.endswith(".py")):
        if call.args:
            keywords = [each.arg for each in call.keywords]
            fields = None if None in keywords else frozenset(filter(None, keywords))
            alike = call.args[:2] if called == "ngettext" else call.args[:1]
            templates = tuple(template for node in alike for template in _literals(node, constants))
            yield Use(f"{name}:{line}", called, templates, fields, ast.unparse(call))


def templates_of(found: Iterable[Use]) -> set[str]:
    return {template for use in found for template in use.templates if template is not None}


def first_arguments(names: Collection[str]) -> Iterator[tuple[str, str]]:
    """The place and the first argument of each call in the sources of a function or class that is called so."""
    for path in sources():
        for line, _called, call in _calls(path.read_text(encoding="utf-8"), names, is_python=path.suffix == ".py"):
            if call.args:
                yield f"{path.relative_to(ROOT)}:{line}", ast.unparse(call.args[0])


@cache
def _python_calls(text: str) -> list[tuple[int, str, ast.Call]]:
    """The line, the name and the node of each call."""
    return [(node.lineno, node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", ""), node)
            for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]


def _calls(text: str, names: Collection[str], is_python: bool) -> Iterator[tuple[int, str, ast.Call]]:
    if is_python:
        yield from (call for call in _python_calls(text) if call[1] in names)
        return
    for found in re.finditer(rf"(?<!class )\b({'|'.join(names)})\(", text):     # Cython, whose calls are Python's
        call = ast.parse(_balanced(text[found.start():]), mode="eval").body
        assert isinstance(call, ast.Call)
        yield text.count("\n", 0, found.start()) + 1, found[1], call


def _balanced(text: str) -> str:
    """The text up to the bracket that closes its first one."""
    depth = 0
    lines = text.splitlines(keepends=True)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        depth += (token.string in "([{") - (token.string in ")]}") if token.type == tokenize.OP else 0
        if token.string == ")" and depth == 0:
            row, column = token.end
            return "".join(lines[:row - 1]) + lines[row - 1][:column]
    raise AssertionError(text[:80])


def _literals(node: ast.expr, constants: dict[str, str]) -> Iterator[str | None]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _literals(node.body, constants)
        yield from _literals(node.orelse, constants)
    elif isinstance(node, ast.Name) and node.id in constants:
        yield constants[node.id]
    else:
        yield None


def fields_of(template: str) -> frozenset[str]:
    """The fields of a template, `{name}`; a lone brace is a letter where there are no fields."""
    return frozenset(_FIELD.findall(template))
