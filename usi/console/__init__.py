"""What the commands of `engine` and the workshop share on a terminal: options, progress, exits, pictures."""
