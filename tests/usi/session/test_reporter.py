"""Which reports of a search a GUI sees."""
from search import Info
from search.limits import Bound
from usi.session.reporter import Reporter, Reporting


def info(depth: int, time_ms: int, multipv: int = 1, bound: Bound = "exact", move: str = "7g7f") -> Info:
    return Info(depth, depth, multipv, 0, bound, nodes=1, time_ms=time_ms, hashfull=0, pv=(move,))


def shown(reporting: Reporting, *infos: Info, finished: int | None = None) -> tuple[list[int], list[int]]:
    """The times of the reports shown during a search and at its end, if the last depth is `finished`."""
    seen: list[int] = []
    reporter = Reporter(reporting, lambda one: seen.append(one.time_ms))
    for one in infos:
        reporter.hear(one)
    during = list(seen)
    reporter.end(finished or max(one.depth for one in infos if one.bound == "exact"))
    return during, seen[len(during):]


def test_the_first_and_the_last_iteration_and_one_an_interval() -> None:
    times = (5, 50, 104, 105, 300, 350)
    infos = [info(depth, time_ms) for depth, time_ms in enumerate(times, 1)]
    assert shown(Reporting(100), *infos) == ([5, 105, 300], [350])
    assert shown(Reporting(100), *infos[:5]) == ([5, 105, 300], [])
    assert shown(Reporting(0), *infos) == (list(times), [])


def test_all_lines_of_an_iteration_or_none() -> None:
    lines = [info(depth, 10 * depth + line, line) for depth in (1, 2, 3) for line in (1, 2, 3)]
    assert shown(Reporting(12), *lines) == ([11, 12, 13, 31, 32, 33], [])
    assert shown(Reporting(30), *lines) == ([11, 12, 13], [31, 32, 33])


def test_bounds_once_the_search_is_long_enough_and_if_they_are_wanted() -> None:
    infos = [info(1, 1), info(9, 999, bound="lower"), info(9, 1000, bound="upper")]
    assert shown(Reporting(100), *infos)[0] == [1, 1000]
    assert shown(Reporting(0), *infos)[0] == [1, 999, 1000]
    assert shown(Reporting(0, bounds=False), *infos)[0] == [1]


def test_the_last_lines_are_shown_together_even_if_some_are_bounds() -> None:
    """A stop may leave a move that is proven better by an unknown amount."""
    finished = [info(4, 40, 1, move="7g7f"), info(4, 41, 2, move="2g2f")]
    last = [info(5, 50, 1, "lower", move="2g2f"), info(4, 51, 2, move="7g7f")]
    assert shown(Reporting(10), *finished, *last) == ([40, 41, 51], [50, 51])
    assert shown(Reporting(1), *finished, *last) == ([40, 41, 50, 51], [])
    # Also where bounds are not wanted: the best move is in line 1.
    assert shown(Reporting(10, bounds=False), *finished, *last) == ([40, 41, 51], [50, 51])
    same = [info(5, 50, 1, "lower", move="7g7f")]
    assert shown(Reporting(10, bounds=False), *finished, *same) == ([40, 41], [])
    mixed = [info(5, 50, 1, move="2g2f"), info(5, 51, 2, "upper", move="7g7f")]
    assert shown(Reporting(100), info(1, 1), *finished, *mixed, finished=4) == ([1], [40, 41, 50, 51])


def test_the_last_finished_iteration_is_shown_before_a_bound() -> None:
    """Even if the search was so fast that only its first iteration was shown."""
    fast = [info(depth, depth) for depth in range(1, 9)]
    for bounds in (True, False):
        reporting = Reporting(300, bounds)
        better = info(9, 10, bound="lower", move="2g2f")
        assert shown(reporting, *fast, better) == ([1], [8, 10])
        assert shown(reporting, *fast, info(9, 10, move="2g2f"), finished=8) == ([1], [8, 10])
        assert shown(reporting, *fast, info(8, 10)) == ([1], [10]), "nothing twice"
    assert shown(Reporting(300), *fast, info(9, 10, bound="lower")) == ([1], [8, 10])
    assert shown(Reporting(300, bounds=False), *fast, info(9, 10, bound="lower")) == ([1], [8])


def test_a_bound_held_back_is_replaced_by_the_exact_score() -> None:
    assert shown(Reporting(10), info(3, 30), info(4, 31, bound="upper"), info(4, 45)) == ([30, 45], [])
    assert shown(Reporting(10), info(3, 30), info(4, 31, bound="lower"), info(4, 35)) == ([30], [35])
    assert shown(Reporting(0), info(3, 30), info(4, 31, bound="lower"), info(4, 35)) == ([30, 31, 35], [])


def test_the_best_move_is_known_whatever_is_shown() -> None:
    reporter = Reporter(Reporting(100), lambda _: None)
    assert reporter.best is None
    reporter.hear(info(1, 1, move="7g7f"))
    reporter.hear(info(2, 2, move="2g2f"))
    reporter.hear(info(2, 3, multipv=2, move="3g3f"))
    assert reporter.best == "2g2f"
