"""Advice about missing parts. In a folder with its own Python there is no pip, so the advice does not depend on pip."""
import ast
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.errors import Phrase, UserError
from usi.words import extras
from usi.words.extras import how_to_build_for_release, how_to_build_here, how_to_install, how_to_reinstall
from usi.words.language import translate
from usi.workers.pool import worker_pool


@pytest.mark.parametrize("advice", [how_to_reinstall, how_to_build_here, how_to_build_for_release,
                                    lambda: how_to_install("cluster")])
def test_a_folder_with_python_inside_is_not_told_to_use_its_pip(advice: Callable[[], Phrase | str],
                                                                monkeypatch: pytest.MonkeyPatch) -> None:
    assert "pip install" in str(advice())
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    found = advice()
    assert "pip" not in str(found).partition("install Python 3.11")[0]
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    assert isinstance(found, Phrase)
    assert found.told(translate) != str(found)


def test_all_advice_that_names_pip_is_in_one_place() -> None:
    usi = Path(extras.__file__).parents[1]
    naming = {path.relative_to(usi).as_posix() for path in usi.rglob("*.py")
              for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
              if isinstance(node, ast.Constant) and isinstance(node.value, str)
              and re.search(r"\bpip install\b", node.value)}
    assert naming == {"words/extras.py"}


def test_without_dask_the_scheduler_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "usi.workers.dask", raising=False)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UserError, match=r'^--scheduler needs Dask: pip install "gakushi\[cluster\]"$'):
        worker_pool(len, 1, scheduler="tcp://localhost:1")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    with pytest.raises(UserError, match=r"^--scheduler needs Dask: this folder cannot be added to; install Python"):
        worker_pool(len, 1, scheduler="tcp://localhost:1")
