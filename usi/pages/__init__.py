"""Pages for a browser: templates in data/, filled in with a game."""
