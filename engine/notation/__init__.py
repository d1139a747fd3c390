"""Shogi in text: SFEN, the Japanese board picture, and game records in CSA and KIF. All of it is pure Python."""
