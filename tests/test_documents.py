"""What the documents name is there: links, paths, and the glossary's words in the files that they are to lead to."""
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]

LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
PATH = re.compile(r"`((?:engine|tt|eval|search|usi|scripts|tests|docs)/[\w./*-]*)`")
ROW = re.compile(r"^\| (?P<words>[^|]+?) \|.*\| `(?P<path>[^`]+)` \|$", re.MULTILINE)
GLOSSARY = ROW.findall((ROOT / "docs" / "GLOSSARY.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_and_paths_lead_somewhere(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    links = [link for link in LINK.findall(text) if "://" not in link]
    assert [link for link in links if not (document.parent / link).exists()] == []
    assert [path for path in PATH.findall(text) if not list(ROOT.glob(path.replace("NAME", "*")))] == []


def text_of(path: Path) -> str:
    """With what belongs to it: a Cython module is its .pxd and its .pyx."""
    parts = {path, path.with_suffix(".pxd"), path.with_suffix(".pyx")} if path.suffix in (".pxd", ".pyx") else {path}
    return "\n".join(part.read_text(encoding="utf-8") for part in sorted(parts) if part.exists())


@pytest.mark.parametrize(("words", "path"), GLOSSARY)
def test_a_word_of_the_glossary_is_found_where_it_says(words: str, path: str) -> None:
    """The ends of lines, signs of comments and underscores count as spaces."""
    code = re.sub(r"[\s#_]+", " ", text_of(ROOT / path)).lower()
    assert [word for word in words.lower().split(", ") if word not in code] == []


def test_every_document_is_in_the_index() -> None:
    index = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Documents")[2]
    assert {path.name for path in DOCUMENTS} - {"README.md"} <= {Path(link).name for link in LINK.findall(index)}
