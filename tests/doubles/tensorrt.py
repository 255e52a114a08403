"""A double of NVIDIA's Python module `tensorrt`, which needs a GPU: what the original needs of it to read tactic
replays."""
import enum

__version__ = "10.9.0"


class DataType(enum.Enum):
    FLOAT = 0
    HALF = 1
    INT8 = 2

    def __str__(self):
        return "DataType." + self.name


class Logger:
    pass
