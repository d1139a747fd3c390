"""The options that a GUI can set: their table, the lines that announce them, and how a value is read."""
from dataclasses import dataclass
from pathlib import Path

from engine import MAX_PLY
from engine.errors import Listed, Phrase, UserError
from eval.loading import MATERIAL, TABLES, default_in, scaled
from eval.network import FV_SCALE
from search import Settings
from search.lending import PLAY_HASH_MB
from search.skill import FULL_LEVEL, MAX_ELO, MIN_ELO, Skill, level_of_elo
from search.threads import play_threads
from usi.book.choice import BookSettings
from usi.book.own import NO_BOOK, BookSource
from usi.session.reporter import Reporting
from usi.words.typed import did_you_mean, whole_number

INT_MAX = 2**31 - 1     # some GUIs keep a spin in 32 bits
EMPTY = "<empty>"       # how USI writes an empty string
TRUE_WORDS = ("true", "1")
FALSE_WORDS = ("false", "0")

Value = bool | int | str


@dataclass(frozen=True)
class Check:
    name: str
    default: bool

    def __str__(self) -> str:
        return f"option name {self.name} type check default {str(self.default).lower()}"

    def read(self, text: str) -> bool:
        word = text.lower()
        if word not in TRUE_WORDS + FALSE_WORDS:
            raise UserError("{name} takes true or false, not '{text}'", name=self.name, text=text)
        return word in TRUE_WORDS


@dataclass(frozen=True)
class Spin:
    name: str
    default: int
    minimum: int
    maximum: int

    def __str__(self) -> str:
        return f"option name {self.name} type spin default {self.default} min {self.minimum} max {self.maximum}"

    def read(self, text: str) -> int:
        """The number in `text`, moved to the nearer end of the range if it lies outside."""
        number = whole_number(text)
        if number is None:
            raise UserError("{name} takes a whole number, not '{text}'", name=self.name, text=text)
        return min(max(number, self.minimum), self.maximum)


@dataclass(frozen=True)
class Combo:
    name: str
    default: str
    choices: tuple[str, ...]

    def __str__(self) -> str:
        choices = "".join(f" var {choice}" for choice in self.choices)
        return f"option name {self.name} type combo default {self.default}{choices}"

    def read(self, text: str) -> str:
        for choice in self.choices:
            if choice.lower() == text.lower():
                return choice
        raise UserError("{name} takes one of {choices}, not '{text}'", name=self.name, choices=Listed(self.choices),
                        text=text)


@dataclass(frozen=True)
class String:
    name: str
    default: str = ""

    def __str__(self) -> str:
        return f"option name {self.name} type string default {self.default or EMPTY}"

    def read(self, text: str) -> str:
        return "" if text == EMPTY else text


@dataclass(frozen=True)
class Button:
    name: str

    def __str__(self) -> str:
        return f"option name {self.name} type button"


Option = Check | Spin | Combo | String | Button

OPTIONS: tuple[Option, ...] = (
    Spin("Threads", play_threads(), 1, 512),
    Spin("USI_Hash", PLAY_HASH_MB, 1, 1048576),              # MB
    Check("USI_Ponder", False),
    Check("Stochastic_Ponder", False),
    Spin("MultiPV", 1, 1, 593),
    Spin("MaxMovesToDraw", 0, 0, 100000),           # 0 is off, here and in the two limits below
    Spin("NodesLimit", 0, 0, INT_MAX),
    Spin("DepthLimit", 0, 0, MAX_PLY - 1),
    Spin("NetworkDelay", 120, 0, 10000),            # ms, as the next three
    Spin("NetworkDelay2", 1120, 0, 10000),
    Spin("MinimumThinkingTime", 2000, 0, 100000),
    Spin("PvInterval", 300, 0, 100000),
    Spin("SlowMover", 100, 1, 1000),                # percent
    Spin("SkillLevel", FULL_LEVEL, 0, FULL_LEVEL),
    Check("USI_LimitStrength", False),
    Spin("USI_Elo", 1500, MIN_ELO, MAX_ELO),
    Check("RoundUpToFullSecond", True),
    Spin("ResignValue", 99999, 0, 99999),           # centipawns, as the draw values
    Spin("DrawValueBlack", -2, -30000, 30000),
    Spin("DrawValueWhite", -2, -30000, 30000),
    Combo("EnteringKingRule", "CSARule27",          # the default first: uci2wb takes the first one for it
          ("CSARule27", "NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27H", "TryRule")),
    Check("GenerateAllLegalMoves", False),
    Check("MateSkipUselessInterpositions", False),
    Check("ConsiderationMode", False),
    Check("OutputFailLHPV", True),
    Check("USI_OwnBook", True),
    String("BookFile"),
    String("BookDir", "book"),
    Check("BookOnTheFly", False),
    Spin("BookMoves", 16, 0, 10000),                # plies
    Spin("BookEvalDiff", 30, 0, 99999),             # centipawns
    Spin("BookDepthLimit", 16, 0, 99999),
    Check("IgnoreBookPly", False),
    Check("ConsiderBookMoveCount", False),
    Check("FlippedBook", True),
    String("EvalFile"),
    String("EvalDir"),
    Spin("FV_SCALE", FV_SCALE, 1, 128),             # units of an nn.bin's output per centipawn
    String("DebugLogFile"),
    Button("Clear_Hash"),
)

# Further options that the protocol predefines: our name for each, or the remark for one that is not supported.
ALIASES = {"USI_MultiPV": "MultiPV", "USI_AnalyseMode": "ConsiderationMode"}
LACKING = {
    "USI_Strength": Phrase("USI_Strength (kyu and dan) is not supported; set USI_LimitStrength and USI_Elo, or "
                           "SkillLevel"),
    "USI_ShowCurrLine": Phrase("USI_ShowCurrLine is not supported: no 'info currline' is ever sent"),
    "USI_ShowRefutations": Phrase("USI_ShowRefutations is not supported: no 'info refutation' is ever sent"),
}


class Options:
    """The values of the options. `find` and `shown_option` take a name in any mixture of cases."""

    def __init__(self) -> None:
        self._options = {option.name.lower(): option for option in OPTIONS}
        self._options |= {alias.lower(): self._options[name.lower()] for alias, name in ALIASES.items()}
        self._lacking = {name.lower(): words for name, words in LACKING.items()}
        self._values: dict[str, Value] = {o.name: o.default for o in OPTIONS if not isinstance(o, Button)}

    def find(self, name: str) -> Option:
        """The option of this name. Raises UserError if there is none."""
        if words := self._lacking.get(name.lower()):
            raise UserError.of(words)
        try:
            return self._options[name.lower()]
        except KeyError:
            known = (option.name for option in OPTIONS)
            fault = Phrase("no option is called '{name}'", name=name)
            raise UserError.of(did_you_mean(fault, name, known)) from None

    def set(self, option: Option, text: str) -> str | None:
        """Set the option to the value in `text`. Returns a remark if another value had to be taken.

        Raises UserError if `text` cannot be read; the old value stays.
        """
        if isinstance(option, Button):
            return None
        value = option.read(text)
        self._values[option.name] = value
        if isinstance(option, Spin) and value != whole_number(text):
            return f"{option.name} {text} lies outside {option.minimum}..{option.maximum}, {value} is used"
        return None

    def shown(self) -> list[str]:
        """Every option that has a value, in `getoption`'s form; an empty value is `<empty>`."""
        return [self.shown_option(name) for name in self._values]

    def shown_option(self, name: str) -> str:
        """One option with its value, in `getoption`'s form. Raises UserError if there is none of that name, or it has
        no value."""
        option = self.find(name)
        if isinstance(option, Button):
            raise UserError("{name} is a button and has no value", name=option.name)
        value = self._values[option.name]
        shown = EMPTY if value == "" else str(value).lower() if isinstance(value, bool) else value
        return f"Options[{option.name}] == {shown}"

    def flag(self, name: str) -> bool:
        return bool(self._values[name])

    def number(self, name: str) -> int:
        return int(self._values[name])

    def text(self, name: str) -> str:
        return str(self._values[name])

    def evaluation(self) -> str:
        """The evaluation that EvalFile and EvalDir select, as a name for eval.loading."""
        name, folder = self.text("EvalFile"), self.text("EvalDir")
        if name in (MATERIAL, TABLES):
            return name
        if folder:
            name = str(Path(folder) / name if name else default_in(Path(folder)))
        return scaled(name, self.number("FV_SCALE")) if name else name

    def book_source(self) -> BookSource | None:
        """The book to play from; None if the options ask for none."""
        name = self.text("BookFile")
        if not self.flag("USI_OwnBook") or name.lower() == NO_BOOK:
            return None
        return BookSource(name, self.text("BookDir"), self.flag("BookOnTheFly"))

    def book_settings(self) -> BookSettings:
        """The settings for choosing moves from the book."""
        return BookSettings(
            plies=self.number("BookMoves"),
            eval_diff=self.number("BookEvalDiff"),
            depth_limit=self.number("BookDepthLimit"),
            ignore_ply=self.flag("IgnoreBookPly"),
            by_games=self.flag("ConsiderBookMoveCount"),
            flipped=self.flag("FlippedBook"),
        )

    def settings(self) -> Settings:
        """The settings of the search."""
        return Settings(
            multi_pv=self.number("MultiPV"),
            draw_value=(self.number("DrawValueBlack"), self.number("DrawValueWhite")),
            entering_king_rule=self.text("EnteringKingRule"),
            max_moves=self.number("MaxMovesToDraw"),
            network_delay=self.number("NetworkDelay"),
            network_delay2=self.number("NetworkDelay2"),
            minimum_thinking_time=self.number("MinimumThinkingTime"),
            slow_mover=self.number("SlowMover"),
            round_up_to_full_second=self.flag("RoundUpToFullSecond"),
            generate_all_legal_moves=self.flag("GenerateAllLegalMoves"),
            nodes_limit=self.number("NodesLimit"),
            depth_limit=self.number("DepthLimit"),
        )

    def skill(self) -> Skill | None:
        """The strength limit; None for full strength."""
        limited = self.flag("USI_LimitStrength")
        return Skill.of_level(level_of_elo(self.number("USI_Elo")) if limited else self.number("SkillLevel"))

    def reporting(self) -> Reporting:
        """The settings for the reports that are sent."""
        return Reporting(self.number("PvInterval"),
                         bounds=self.flag("OutputFailLHPV") and not self.flag("ConsiderationMode"))
