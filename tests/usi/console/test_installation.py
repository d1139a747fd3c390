"""Packages of others with our names are reported, whether they hide ours or have replaced our files."""
import os
import shutil
import subprocess
import sys
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from tests.each import each
from tests.processes import BUILD, ENVIRONMENT, SECONDS
from usi.console.installation import PACKAGES, faults

FAULTS = "from usi.console.installation import faults; print(*faults(), sep='\\n')"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with as much of an installation as the test needs."""
    for name in PACKAGES:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f'"""Ours: {name}."""\n', encoding="utf-8")
    (tmp_path / "usi" / "console").mkdir()
    for file in ("usi/console/__init__.py", "usi/console/installation.py", "engine/errors.py"):
        shutil.copy(BUILD / file, tmp_path / file)
    install(tmp_path, "gakushi", sorted(file for name in PACKAGES for file in (tmp_path / name).rglob("*.py")))
    return tmp_path


def install(site: Path, name: str, files: list[Path]) -> None:
    """Write what pip writes of a distribution."""
    folder = site / f"{name}-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (folder / "RECORD").write_text("".join(
        f"{file.relative_to(site)},sha256={urlsafe_b64encode(sha256(file.read_bytes()).digest()).decode().rstrip('=')},"
        f"{file.stat().st_size}\n" for file in files), encoding="utf-8")


def said(program: str, *path: Path) -> list[str]:
    """The output of a Python that finds packages in these folders only."""
    environment = {**ENVIRONMENT, "PYTHONPATH": os.pathsep.join(map(str, path)), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-S", "-c", program], env=environment, capture_output=True, text=True,
                          timeout=SECONDS)
    return [line for line in (*done.stdout.splitlines(), *done.stderr.splitlines()[-1:]) if line]


def test_here_all_is_as_it_was_installed() -> None:
    assert list(faults()) == []


def test_files_that_another_distribution_has_replaced(site: Path) -> None:
    """One in each package."""
    ours = {file: file.read_text(encoding="utf-8") for file in (site / name / "__init__.py" for name in PACKAGES)}
    for file in ours:
        file.write_text('"""Theirs."""\n', encoding="utf-8")
    again = "install Gakushi again"
    assert sorted(said(FAULTS, site)) == sorted(f"{file} is not as it was installed; {again}" for file in ours)
    install(site, "other", list(ours))
    assert sorted(said(FAULTS, site)) == sorted(
        f"{file} has been replaced by the distribution 'other'; uninstall that, and {again}" for file in ours)
    shutil.rmtree(site / "other-1.0.dist-info")
    for file, text in ours.items():
        file.write_text(text, encoding="utf-8")
    assert said(FAULTS, site) == []


def test_a_file_that_is_missing(site: Path) -> None:
    file = site / "search" / "__init__.py"
    file.unlink()
    assert said(FAULTS, site) == [f"{file} is not as it was installed; install Gakushi again"]


@each("names", [["engine"], [name for name in PACKAGES if name not in ("engine", "usi")]])
def test_packages_that_a_distribution_in_another_folder_hides(site: Path, tmp_path_factory: pytest.TempPathFactory,
                                                              names: list[str]) -> None:
    """`usi` holds the check itself; without our `engine` the faults are plain text."""
    other = tmp_path_factory.mktemp("other")
    hiding = {name: other / name / "__init__.py" for name in names}
    for theirs in hiding.values():
        theirs.parent.mkdir()
        theirs.write_text("raise SystemExit('theirs was imported')\n", encoding="utf-8")
    assert sorted(said(FAULTS, other, site)) == sorted(
        f"{theirs} hides Gakushi's package '{name}'; rename that file, or keep its folder off sys.path"
        for name, theirs in hiding.items())
    install(other, "theirs", list(hiding.values()))
    assert sorted(said(FAULTS, other, site)) == sorted(
        f"{theirs} of the distribution 'theirs' hides Gakushi's package '{name}'; uninstall that or install Gakushi in "
        "an environment of its own" for name, theirs in hiding.items())


def test_a_file_that_hides_a_package_is_named_by_the_library(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    for name in PACKAGES:
        hiding = tmp_path / name / f"{name}.py"
        hiding.parent.mkdir()
        hiding.write_text("", encoding="utf-8")
        program = hiding.with_name("program.py")
        program.write_text("import gakushi", encoding="utf-8")
        done = subprocess.run([sys.executable, program], env=environment, capture_output=True, text=True,
                              timeout=SECONDS)
        assert done.stderr.splitlines()[-1] == (f"ImportError: {hiding} hides Gakushi's package '{name}'; rename that "
                                                "file, or keep its folder off sys.path")
