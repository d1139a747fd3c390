"""`engine play`: a game against a person on the terminal."""
