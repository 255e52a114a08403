"""The exceptions that scripts raise and catch."""


class PolygraphyException(Exception):
    pass


class PolygraphyInternalException(Exception):
    pass
