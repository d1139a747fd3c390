"""The USI front end: the protocol loop, the book it plays from, and the command line."""
