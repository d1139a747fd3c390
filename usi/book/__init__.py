"""Opening books: their text form, searching them, and choosing moves."""
