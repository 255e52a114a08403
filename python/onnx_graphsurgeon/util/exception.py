"""The one exception of the package."""


class OnnxGraphSurgeonException(Exception):
    """Wrong input, or a graph on which an operation cannot work. See `G_LOGGER.critical`."""
