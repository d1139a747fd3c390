"""Text for people: their language, moves, scores and reasons of failures in words."""
