"""What the commands share: how they end, and the options that mean the same in each."""
