"""Decorators for functions that build on others."""
import functools


def constant(value):
    return lambda: value


def extend(extended):
    """The decorated function gets the results of `extended`, and may return others in their place."""
    def decorate(function):
        @functools.wraps(function)
        def call(*args, **kwargs):
            found = extended(*args, **kwargs)
            found_args = found if isinstance(found, tuple) else (found,)
            result = function(*found_args)
            return found if result is None else result
        return call
    return decorate


def invoke(function, *args, **kwargs):
    return function(*args, **kwargs)
