"""What the engine asks of the machine: its processor, its memory, its clock. Knows nothing of shogi."""
