"""`engine serve`: play, analyse and learn on a board in the browser, for one person on one machine."""
