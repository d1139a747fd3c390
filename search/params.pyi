DEFAULTS: dict[str, int]
