"""Text from outside made safe to show: file names, names of players and events, text of engines and records.

Control characters could command the terminal (an escape sequence clears it, sets its title, or paints a false prompt),
and Unicode's marks of direction could show a name turned round.
"""
import re

_UNSAFE = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f"               # controls but tab and line feed
                     "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"     # direction of writing
                     "\u2028\u2029]")                                  # other line ends


def visible(text: str) -> str:
    """The text with the characters that could command a terminal escaped as in JSON. Within JSON that changes nothing.

    >>> print(visible("game\\x1b[2J.kif"), visible("\\u202etxt.exe"))
    game\\u001b[2J.kif \\u202etxt.exe
    """
    return _UNSAFE.sub(lambda unsafe: f"\\u{ord(unsafe[0]):04x}", text)
