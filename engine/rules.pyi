from collections.abc import Mapping

RULES: Mapping[str, int]        # of the entering king, as USI names them
VERDICTS: Mapping[int, str]     # on a repetition
