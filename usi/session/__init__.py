"""The engine's side of USI: lines in and out, options, and the jobs that they start."""
