"""What evaluations are learnt from and how: self-play, files of positions, and the learner's runs."""
