"""Matches: rules, openings, players, the games between them, the file that stores them, and the tables and reports made
of them.

`matches` plays, by `game`, between players of two kinds (`search_player`, `usi_player`). `tally` has the results of two
players, `standings` those of any number.
"""
