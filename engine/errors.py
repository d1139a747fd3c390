"""What goes wrong by the user's doing."""


class UserError(ValueError):
    """An error that the user can mend: its text quotes what is wrong and says what to do.

    Commands print it as one line, as they do with the system's errors; any other error is a fault of ours, and shows
    its traceback.
    """

    __module__ = "engine"       # where people import it from
