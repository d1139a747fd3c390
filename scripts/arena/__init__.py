"""Matches: players, the games between them, the file that keeps these, and what is shown of them.

`match` plays, by `game`, between players of two kinds (`search_player`, `usi_player`); `stats` says what it proves.
"""
