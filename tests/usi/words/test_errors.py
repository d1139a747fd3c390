"""Errors as a Japanese reader gets them, from the places that raise them."""
from collections.abc import Callable

import pytest

from engine import Position, UserError
from tests.each import each
from usi.words.language import translate


@pytest.fixture(autouse=True)
def japanese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    monkeypatch.delenv("LANGUAGE", raising=False)


@each(("fail", "told"), [
    (lambda: Position("4k4/9/9/9/9/9/9/9/4K4 b 19P 1"),
     "'4k4/9/9/9/9/9/9/9/4K4 b 19P 1': 歩が全部で 19 枚ありますが、駒は 18 枚までです"),
    (lambda: Position("4kk3/9/9/9/9/9/9/9/4K4 b - 1"), "'4kk3/9/9/9/9/9/9/9/4K4 b - 1': 後手の玉が 2 枚あります"),
    (lambda: Position("4k4/9/p8/p8/9/9/9/9/4K4 b - 1"),
     "'4k4/9/p8/p8/9/9/9/9/4K4 b - 1': 後手が 9 筋で二歩になっています"),
    (lambda: Position("4k4/9/9/9/9/9/9/9/4K4 b P2P 1"),
     "'4k4/9/9/9/9/9/9/9/4K4 b P2P 1': 持駒 'P2P' に 'P' が 2 度あります"),
    (lambda: Position("4k4/4R4/9/9/9/9/9/9/4K4 b - 1"),
     "'4k4/4R4/9/9/9/9/9/9/4K4 b - 1': 後手に王手がかかっているのに、先手の手番です"),
    (lambda: Position().push("5a5b+9"), "'5a5b+9' は指し手ではありません。7g7f、2b3c+、P*5e のように書いてください"),
])
def test_errors_in_japanese(fail: Callable[[], object], told: str) -> None:
    with pytest.raises(UserError) as raised:
        fail()
    assert raised.value.told(translate) == told
