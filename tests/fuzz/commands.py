"""Parsers of the protocol's commands for the model. The engine's own parsers would share their faults with it."""
import re
from dataclasses import dataclass
from typing import NamedTuple


class Asked(NamedTuple):
    """The limits and mode of one `go`."""

    answer: str             # the first word of it, "" for a count of leaves
    until_stop: bool        # it must not come before `stop` and the like,
    until_hit: bool         # nor before `ponderhit`


def read_go(arguments: str) -> Asked:
    words = arguments.split()
    if re.search(r"(?<!\S)perft\s+[-+]?[0-9]+(?!\S)", arguments):
        return Asked("", until_stop=False, until_hit=False)
    if "mate" in words:     # an `infinite` belongs to it, and it does not ponder
        return Asked("checkmate", until_stop=False, until_hit=False)
    return Asked("bestmove", "infinite" in words, "ponder" in words)


def read_setoption(arguments: str) -> tuple[str, str] | None:
    """Name and value, "" if none is given; None if it sets nothing."""
    head, *value = re.split(r"\s+value(?:\s+|$)", arguments, maxsplit=1)
    word, *name = head.split(maxsplit=1) or [""]
    return ("".join(name), "".join(value)) if word == "name" else None


@dataclass
class SetOption:
    """An option as it was announced, and the value it has now."""

    name: str
    kind: str
    value: str
    least: int
    most: int
    choices: list[str]

    @classmethod
    def announced(cls, line: str) -> "SetOption":
        """The option that a line `option name NAME type KIND …` announces."""
        words = line.split()
        given = dict(zip(words[1::2], words[2::2], strict=True))
        choices = [choice for word, choice in zip(words[1::2], words[2::2], strict=True) if word == "var"]
        return cls(given["name"], given["type"], given.get("default", ""), int(given.get("min", 0)),
                   int(given.get("max", 0)), choices)

    def take(self, text: str) -> None:
        """Set the option; a value that cannot be read changes nothing."""
        match self.kind:
            case "check" if text.lower() in ("true", "1", "false", "0"):
                self.value = "true" if text.lower() in ("true", "1") else "false"
            case "spin" if re.fullmatch(r"[-+]?[0-9]+", text):
                self.value = str(min(max(int(text), self.least), self.most))
            case "combo":
                self.value = next((choice for choice in self.choices if choice.lower() == text.lower()), self.value)
            case "string":
                self.value = text or "<empty>"


class OptionTable:
    """The options of an engine, from the lines that announce them."""

    def __init__(self, lines: list[str]) -> None:
        self._options = {option.name.lower(): option for option in map(SetOption.announced, lines)}

    def obey(self, arguments: str) -> None:
        """Apply a `setoption`."""
        name, value = read_setoption(arguments) or ("", "")
        if option := self._options.get(name.lower()):
            option.take(value)

    def value(self, name: str) -> str:
        return self._options[name.lower()].value

    def shown(self, name: str) -> list[str]:
        """The lines of `getoption` for one option, or for all if none is named; buttons have none."""
        options = [self._options.get(name.lower())] if name else self._options.values()
        return [f"Options[{option.name}] == {option.value}" for option in options if option and option.kind != "button"]
