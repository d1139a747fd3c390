"""The file that an analysis is continued from: a position on each line."""
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from engine.cpu import VERSION
from engine.notation.record import Record
from eval.loading import weights_checksum
from search import Limits
from usi import journal
from usi.commands.analyze.analysis import Assessment, Candidate


def _read(row: Any) -> Assessment:
    candidates = tuple(Candidate(each["score"], tuple(each["pv"])) for each in row["candidates"])
    return Assessment(**{**row, "candidates": candidates, "mate": tuple(row["mate"])})


KIND = journal.Kind("positions of a game, analysed", "engine analyze", "analysed position", _read)


def conditions(record: Record, limits: Limits, lines: int, mate_nodes: int, threads: int, hash_mb: int,
               evaluation: str | None) -> dict[str, int | str | None]:
    """All that the outcome depends on. OSError if the evaluation's file cannot be read."""
    return {"version": VERSION, "evaluation": weights_checksum(evaluation), "depth": limits.depth,
            "nodes": limits.nodes, "movetime": limits.movetime, "multipv": lines, "mate_nodes": mate_nodes,
            "threads": threads, "hash": hash_mb,
            "game": " ".join(["sfen", record.initial_sfen, "moves", *record.moves])}


class Journal:
    """The positions that have been analysed, by ply. Without a path it keeps nothing."""

    def __init__(self, path: Path | None, conditions: Mapping[str, int | str | None]) -> None:
        """OSError and ValueError as usi.journal.Journal has them."""
        self._journal = journal.Journal(path, KIND, conditions) if path else None
        self.found = {found.ply: found for found in self._journal.rows} if self._journal else {}

    def add(self, found: Assessment) -> None:
        """OSError if it cannot be written."""
        if self._journal:
            self._journal.append(asdict(found))

    def close(self) -> None:
        if self._journal:
            self._journal.close()
