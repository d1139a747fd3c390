"""Everything that the documents name exists: links, paths, commands with their flags, and the glossary's words in the
files that it names."""
import re
from collections.abc import Iterator
from datetime import date
from importlib import import_module
from pathlib import Path

import click

from tests.each import each
from tests.scripts.test_ranges import scripts
from tests.usi.commands.test_cli import ALL
from usi import cli

ROOT = Path(__file__).parent.parent
FRONT = [ROOT / "README.md", ROOT / "README.ja.md"]
DOCUMENTS = [*FRONT, ROOT / "CONTRIBUTING.md", ROOT / "RELEASE.md", *sorted((ROOT / "docs").glob("**/*.md"))]

LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
PATH = re.compile(r"`((?:engine|tt|eval|search|usi|scripts|tests|docs)/[\w./*-]*)`")
ROW = re.compile(r"^\| (?P<words>[^|]+?) \|.*\| `(?P<path>[^`]+)` \|$", re.MULTILINE)
COMMAND = re.compile(r"^(?: {4}|\$ )?(?:python -m scripts\.([\w.]+)|engine (\w.*?)(?=  |$))((?:.*\\\n)*.*)",
                     re.MULTILINE)
BLOCK = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
FLAG = re.compile(r"(?<![\w-])--?[a-z][\w-]*")
LAB = ROOT / "docs" / "lab"
PACKAGES = ("engine", "tt", "eval", "search", "usi", "gakushi", "scripts")
EXPERIMENTS = sorted((LAB / "experiments").glob("*.tsv"))
GLOSSARY = ROW.findall((ROOT / "docs" / "GLOSSARY.md").read_text(encoding="utf-8"))


@each("document", DOCUMENTS)
def test_links_and_paths_lead_somewhere(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    links = [link for link in LINK.findall(text) if "://" not in link]
    assert [link for link in links if not (document.parent / link).exists()] == []
    assert [path for path in PATH.findall(text) if not list(ROOT.glob(path.replace("NAME", "*")))] == []


def rooms() -> dict[str, set[str]]:
    """The names in each folder that docs/ARCHITECTURE.md's tree has, but for those whose modules other lists have."""
    text = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    tree = text[text.index("\n## The tree\n"):text.index("\n## What a change touches\n")]
    return {room: set(re.findall(r"`([a-z]\w*)`", entry))
            for room, entry in re.findall(r"^- `([\w/]+)/`(.*?)(?=^- |\Z)", tree, re.MULTILINE | re.DOTALL)
            if room not in ("usi/commands", "scripts", "tests", "docs")}


def modules() -> dict[str, set[str]]:
    """The modules in each folder of the packages, in any language."""
    found: dict[str, set[str]] = {}
    for path in ROOT.glob("*/**/*.*"):
        folder = str(path.parent.relative_to(ROOT))
        if (path.suffix in (".py", ".pyx", ".pxd", ".h", ".js", ".css") and not path.stem.startswith("__")
                and folder.partition("/")[0] in PACKAGES and folder != "usi/commands"
                and folder not in ("scripts", "scripts/data")):
            found.setdefault(folder, set()).add(path.stem)
    return found


def test_the_tree_names_every_module() -> None:
    assert rooms() == modules()


def text_of(path: Path) -> str:
    """The text of a file; for a Cython module, of its .pxd and its .pyx."""
    parts = {path, path.with_suffix(".pxd"), path.with_suffix(".pyx")} if path.suffix in (".pxd", ".pyx") else {path}
    return "\n".join(part.read_text(encoding="utf-8") for part in sorted(parts) if part.exists())


@each(("words", "path"), GLOSSARY)
def test_a_word_of_the_glossary_is_found_where_it_says(words: str, path: str) -> None:
    """The ends of lines, signs of comments and underscores count as spaces."""
    code = re.sub(r"[\s#_]+", " ", text_of(ROOT / path)).lower()
    assert [word for word in words.lower().split(", ") if word not in code] == []


def anchors(document: Path) -> set[str]:
    """The names that GitHub gives a document's headings."""
    headings = re.findall(r"^#+ (.*)$", BLOCK.sub("", document.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@each("document", DOCUMENTS)
def test_links_lead_to_headings_that_exist(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s:]*)#([^)\s]+)\)", document.read_text(encoding="utf-8"))
    assert [f"{name}#{anchor}" for name, anchor in links
            if anchor not in anchors(document.parent / name if name else document)] == []


def test_the_documents_are_these() -> None:
    """Each further document is one more place to search, so new text goes into one of these."""
    twelve = {"USI", "CLIENTS", "TOOLS", "HELP", "PYTHON", "BOOK", "MATCHES", "LEARNING", "SEARCH", "ARCHITECTURE",
              "PERFORMANCE", "GLOSSARY"}
    assert {path.name for path in (ROOT / "docs").iterdir() if path.is_file()} == {
        "HELP.ja.md", *(f"{name}.md" for name in twelve)}


def test_every_document_is_in_the_index() -> None:
    index = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Documents")[2]
    assert {path.name for path in DOCUMENTS if path not in FRONT} <= {Path(link).name for link in LINK.findall(index)}


def test_the_two_front_pages_are_short_and_link_each_other() -> None:
    pages = {path.name: path.read_text(encoding="utf-8") for path in FRONT}
    assert [name for name, text in pages.items() if text.count("\n") > 110] == []
    assert "(README.ja.md)" in pages["README.md"]
    assert "(README.md)" in pages["README.ja.md"]


@each("table", EXPERIMENTS)
def test_experiments_are_tables_with_the_newest_row_first(table: Path) -> None:
    head, *rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()]
    assert head[:2] == ["date", "trial"]
    assert rows
    for number, row in enumerate(rows, 2):
        assert len(row) == len(head), f"line {number} has {len(row)} columns, the header {len(head)}"
        assert all(cell == cell.strip() for cell in row), f"line {number} has spaces around a cell"
        assert row[1], f"line {number} names no trial"
    dates = [date.fromisoformat(row[0]) for row in rows]
    assert dates == sorted(dates, reverse=True)


def test_the_page_of_experiments_names_every_table() -> None:
    page = (LAB / "EXPERIMENTS.md").read_text(encoding="utf-8")
    assert {f"experiments/{table.name}" for table in EXPERIMENTS} <= set(LINK.findall(page))


def commands(text: str) -> Iterator[tuple[str, click.Command, set[str]]]:
    """The scripts and the commands of `engine` that are shown in blocks, and the flags that they are shown with."""
    for script, words, rest in COMMAND.findall(text):
        command: click.Command = import_module(f"scripts.{script}").main if script else cli.main
        for word in f"{words} {rest}".split():
            if not isinstance(command, click.Group):
                break
            found = command.get_command(click.Context(command), word.split("|")[0])
            assert found, f"{script or 'engine'} {words} {rest}"
            command = found
        yield script or words, command, set(FLAG.findall(f"{words} {rest}"))


def test_a_help_keeps_the_line_ends_of_its_examples() -> None:
    """A lone backslash at the end of a docstring's line joins it with the next."""
    helps = {name: command.help or "" for name, command in (*scripts(), *ALL.items())}
    assert [name for name, text in helps.items() if any(len(line) > 120 for line in text.splitlines())] == []


@each("document", DOCUMENTS)
def test_commands_have_the_flags_that_they_are_shown_with(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    for name, command, flags in commands("".join(BLOCK.findall(text))):
        known = {flag for parameter in command.params for flag in (*parameter.opts, *parameter.secondary_opts)}
        assert flags <= known | {"--help", "--version"}, name
