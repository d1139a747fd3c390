"""`engine book think`: a book by our own search, from the start of the game outwards."""
