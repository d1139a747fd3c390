"""The statistics of the keys as text and as JSON (docs/TT.md says what the figures mean)."""
from typing import Any

from tt.quality import CASES, Quality

BAR = 40        # characters of the longest


def as_json(quality: Quality) -> dict[str, Any]:
    """For `engine ttstats --json`."""
    return {
        "entries": quality.entries,
        "references": quality.references,
        "moves": quality.moves,
        "used": quality.used,
        "expected_used": quality.expected_used,
        "cases": quality.cases,
        "first": quality.first,
        "expected": quality.expected,
        "z": quality.z,
        "z_by_case": quality.z_by_case,
        "chi2": quality.chi2,
        "chi2_blocks": len(quality.blocks),
        "false_hits": quality.false_hits,
        "expected_false_hits": quality.expected_false_hits,
        "collisions": quality.collisions,
        "verdict": quality.verdict,
        "faults": quality.faults,
    }


def as_lines(quality: Quality) -> list[str]:
    """For the terminal: the histogram beside what an ideal hash gives, the other figures, the verdict."""
    lines = [
        f"moves       {quality.moves:11}  of {quality.references} nodes that looked into the table",
        f"used        {quality.used:11}  of {quality.entries} entries, {quality.expected_used:.1f} expected",
        "",
        f"{'case':17} {'nodes':>10} {'first time':>11} {'expected':>13} {'Z':>9}",
    ]
    for name, count, first, expected, z in zip(CASES, quality.cases, quality.first, quality.expected,
                                               quality.z_by_case, strict=True):
        deviation = "-" if z is None else f"{z:+.2f}"
        bar = "#" * round(BAR * count / max(*quality.cases, 1))
        lines.append(f"{name:17} {count:10} {first:11} {expected:13.1f} {deviation:>9}  {bar}".rstrip())
    return [
        *lines,
        "",
        f"chi-square  {quality.chi2:11.1f}  of {len(quality.blocks)} blocks, {len(quality.blocks) - 1} expected",
        f"false hits  {quality.false_hits:11}  {quality.expected_false_hits:.4f} expected; "
        f"{quality.collisions} by keys alike in all 64 bits",
        f"verdict: {'; '.join([quality.verdict, *quality.faults])}",
    ]
