"""README.md as PyPI renders it: every link and picture leads somewhere."""
import re
from html.parser import HTMLParser
from importlib.metadata import entry_points, metadata

from readme_renderer import markdown

import engine
from scripts.packaging.description import PROJECT, ROOT, long_description

REPOSITORY, VERSION = PROJECT["urls"]["Repository"], PROJECT["version"]
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


class Links(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in ("href", "src")]


def anchors(markdown_text: str) -> set[str]:
    """GitHub's names of the headings."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(markdown_text)}


def test_every_link_of_the_description_leads_somewhere() -> None:
    html = markdown.render(long_description())
    assert html
    links = Links(html).found
    assert len(links) > 20
    assert sum(link.endswith((".png", ".gif")) for link in links) == 3
    for kind in ("blob", "raw"):
        start = f"{REPOSITORY}/{kind}/v{VERSION}/"
        for path, _, anchor in (link.removeprefix(start).partition("#") for link in links if link.startswith(start)):
            assert (ROOT / path).is_file(), path
            assert not anchor or anchor in anchors((ROOT / path).read_text(encoding="utf-8")), (path, anchor)
    elsewhere = {link for link in links
                 if f"/v{VERSION}/" not in link and not link.startswith("#user-content-")}
    assert elsewhere == {f"{REPOSITORY}/releases"}


def test_the_repository_has_one_name() -> None:
    assert len(PROJECT["urls"]) == 5
    assert all(url.startswith(REPOSITORY) for url in PROJECT["urls"].values())


def test_version_and_commands() -> None:
    assert engine.__version__ == metadata("gakushi")["Version"] == VERSION
    assert f"## [{VERSION}] - " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    commands = {each.name: each.value for each in entry_points(group="console_scripts") if each.dist
                and each.dist.name == "gakushi"}
    assert commands == {"engine": "usi.cli:main", "gakushi": "usi.cli:main"}
