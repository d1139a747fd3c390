"""The machine: processor, memory, time, threads. Knows nothing of shogi."""
