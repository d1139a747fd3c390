"""HTML pages for a browser, made from templates in data/ and a game."""
