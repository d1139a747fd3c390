"""Many small cases in one test: `pytest.mark.parametrize` costs more than a case that takes microseconds."""
import inspect
from collections.abc import Callable, Collection
from functools import wraps
from typing import Any

Test = Callable[..., None]


def each(names: str | tuple[str, ...], cases: Collection[Any]) -> Callable[[Test], Test]:
    """Runs a test for every case, as `pytest.mark.parametrize` does, and prints the one that fails. All cases share the
    test's fixtures."""
    assert cases
    own = (names,) if isinstance(names, str) else names

    def decorate(test: Test) -> Test:
        @wraps(test)
        def run(**fixtures: Any) -> None:
            for case in cases:
                arguments = dict(zip(own, (case,) if isinstance(names, str) else case, strict=True))
                try:
                    test(**fixtures, **arguments)
                except BaseException:
                    print("case:", arguments)
                    raise

        signature = inspect.signature(test)
        others = [parameter for name, parameter in signature.parameters.items() if name not in own]
        run.__signature__ = signature.replace(parameters=others)    # type: ignore[attr-defined]
        return run

    return decorate
