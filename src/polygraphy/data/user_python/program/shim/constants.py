"""Constants that scripts use."""
DEFAULT_SEED = 1
DEFAULT_SHAPE_VALUE = 1
TAB = "    "
MARK_ALL = "mark-all"
