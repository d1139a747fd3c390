"""Parameters of the search: SPSA by games finds better ones, factorial games measure many changes at once."""
