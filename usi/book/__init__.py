"""Opening books: their text form, how they are searched, and what is played from them."""
