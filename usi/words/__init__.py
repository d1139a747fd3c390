"""Text for people in their language: moves, scores, endings, and the reasons of failures."""
