"""Opening books: their text form, how they are searched, what is played from them, and how they are made."""
