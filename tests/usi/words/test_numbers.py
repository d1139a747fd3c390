"""Numbers of any length, against Python's own reading of those it can read."""

from tests.each import each
from usi.words.typed import LONGEST, whole_number


@each("word", ["0", "7", "-7", "+7", "007", "-0", "000", "9" * LONGEST, "-" + "9" * LONGEST,
                                  "0" * 5000 + "12"])
def test_numbers_are_read_as_python_reads_them(word: str) -> None:
    assert whole_number(word) == int(word.replace("0" * 5000, ""))


@each("word", ["", "-", "+", "1.5", "1_000", "1e3", " 1", "1 ", "1\n", "--1", "x", "7x", "²", "１"])
def test_what_is_no_number(word: str) -> None:
    assert whole_number(word) is None


@each("digits", [LONGEST + 1, 5000, 1_000_000])
def test_one_longer_than_any_limit_is_the_largest(digits: int) -> None:
    assert whole_number("9" * digits) == 10**LONGEST - 1
    assert whole_number("-1" + "0" * digits) == 1 - 10**LONGEST
