"""Training: self-play, files of positions, and the learners' runs."""
