"""Work for the processes of a pool, which import it by its name."""
import os
import signal
import sys


def square(number: int) -> int:
    if number < 0:
        raise ValueError(f"{number} is refused")
    return number * number


def say(text: str) -> str:
    """Print it on both streams."""
    print(text, flush=True)
    print(text, file=sys.stderr, flush=True)
    return text


def whose(number: int) -> int:
    """The id of the process that does the task, which must not be this one."""
    return os.getpid()


def die_of_seven(number: int) -> int:
    if number == 7:
        os.kill(os.getpid(), signal.SIGKILL)
    return number
