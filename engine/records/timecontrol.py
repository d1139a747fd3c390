"""The time control of a game: the header TIME_LIMIT, in CSA's form and in KIF's words."""
import re
from typing import NamedTuple

_CSA = re.compile(r"([0-9]{1,4}):([0-5][0-9])\+([0-9]{1,6})", re.ASCII)         # $TIME_LIMIT: hours, minutes, seconds
_SECONDS = re.compile(r"([0-9]{1,7})\+([0-9]{1,6})\+([0-9]{1,6})", re.ASCII)    # $TIME of V3
_WORDS = re.compile(r"(?:([0-9]{1,4})時間)?(?:([0-9]{1,6})分)?(?:([0-9]{1,6})秒)?(?: 秒読み([0-9]{1,6})秒)?"
                    r"(?: 1手([0-9]{1,6})秒加算)?", re.ASCII)


class TimeControl(NamedTuple):
    """A time control in seconds: each side's main time, byoyomi, and increment per move."""

    main: int
    byoyomi: int = 0
    increment: int = 0

    def csa(self) -> str:
        """The text for CSA's `$TIME_LIMIT`, or in `$TIME`'s form if that cannot hold it.

        >>> TimeControl(600, 30).csa(), TimeControl(90, 0, 5).csa()
        ('00:10+30', '90+0+5')
        """
        if self.increment or self.main % 60:
            return f"{self.main}+{self.byoyomi}+{self.increment}"
        return f"{self.main // 3600:02}:{self.main // 60 % 60:02}+{self.byoyomi:02}"

    def words(self) -> str:
        """The text for KIF's header 持ち時間.

        >>> TimeControl(5400, 30).words(), TimeControl(0, 0, 10).words()
        ('1時間30分 秒読み30秒', '0分 1手10秒加算')
        """
        hours, minutes, seconds = self.main // 3600, self.main // 60 % 60, self.main % 60
        main = f"{hours}時間" * bool(hours) + f"{minutes}分" * bool(minutes) + f"{seconds}秒" * bool(seconds)
        return ((main or "0分") + f" 秒読み{self.byoyomi}秒" * bool(self.byoyomi)
                + f" 1手{self.increment}秒加算" * bool(self.increment))


def parse_time_control(text: str) -> TimeControl | None:
    """The time control of a header in one of CSA's forms, or in the words that `TimeControl.words` writes; None for any
    other text.

    >>> parse_time_control("00:10+30"), parse_time_control("各5時間")
    (TimeControl(main=600, byoyomi=30, increment=0), None)
    """
    if found := _CSA.fullmatch(text):
        hours, minutes, byoyomi = map(int, found.groups())
        return TimeControl(3600 * hours + 60 * minutes, byoyomi)
    if found := _SECONDS.fullmatch(text):
        return TimeControl(*map(int, found.groups()))
    if found := _WORDS.fullmatch(text):
        hours, minutes, seconds, byoyomi, increment = (int(number or 0) for number in found.groups())
        control = TimeControl(3600 * hours + 60 * minutes + seconds, byoyomi, increment)
        return control if control.words() == text else None
    return None
