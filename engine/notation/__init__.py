"""Shogi in text: SFEN, the Japanese board picture, and game records in CSA, KIF, KI2, JKF and PGN, all in Python."""
