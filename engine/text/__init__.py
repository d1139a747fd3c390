"""A position in text: the letters of squares and pieces, SFEN, Japanese names and pictures. Knows nothing of the board
(engine.board), which reads and writes by it."""
