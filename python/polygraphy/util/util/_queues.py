"""Queues between processes."""

from __future__ import annotations

import sys
from typing import Any, Optional

from polygraphy import mod
from polygraphy.logger import G_LOGGER


class Compressed:
    """An object that was pickled and compressed."""

    def __init__(self, cobj: bytes):
        self.bytes = cobj


def is_compressed(obj: Any) -> bool:
    return isinstance(obj, Compressed)


def compress(obj: Any) -> Compressed:
    import pickle
    import zlib

    G_LOGGER.verbose(f"Compressing {type(obj)} object")
    return Compressed(zlib.compress(pickle.dumps(obj)))


def decompress(compressed: Compressed) -> Any:
    import pickle
    import zlib

    G_LOGGER.verbose("Decompressing bytes")
    return pickle.loads(zlib.decompress(compressed.bytes))


PIPE_MAX_SEND_BYTES = 1 << 31
"""int: The most bytes of one message between processes"""


def send_on_queue(queue, obj: Any) -> None:
    """Sends an object, compressed if it would be too large otherwise."""
    import pickle

    if sys.getsizeof(obj) > PIPE_MAX_SEND_BYTES:
        G_LOGGER.warning(
            f"Object size ({sys.getsizeof(obj)} bytes) exceeds maximum size that can be sent "
            f"over queues ({PIPE_MAX_SEND_BYTES} bytes). Attempting to compress - this may take "
            "some time. If this does not work or you want to avoid the compression overhead, you "
            "should disable subprocesses by omitting the --use-subprocess flag, or by setting "
            "use_subprocess=False in Comparator.run()."
        )
        obj = compress(obj)
    # The queue pickles in a separate thread, whose errors do not reach the caller.
    pickle.dumps(obj)
    G_LOGGER.ultra_verbose(lambda: f"Sending: {obj} on queue")
    queue.put(obj)


@mod.export()
def try_send_on_queue(queue, obj: Any) -> None:
    """Sends an object, or None and a warning if it cannot be sent.

    Args:
        queue: The queue.
        obj: The object.
    """
    try:
        send_on_queue(queue, obj)
    except Exception as err:
        G_LOGGER.warning(f"Could not send object on queue: {err}\nSending None instead.")
        queue.put(None)


def receive_on_queue(queue, timeout: Optional[float] = None) -> Any:
    """The object that arrives within `timeout` seconds."""
    G_LOGGER.extra_verbose("Waiting for data to become available on queue")
    obj = queue.get(block=True, timeout=timeout)
    if is_compressed(obj):
        obj = decompress(obj)
    G_LOGGER.ultra_verbose(lambda: f"Received {obj} on queue")
    return obj


@mod.export()
def try_receive_on_queue(queue, timeout: Optional[float] = None) -> Any:
    """The object that arrives within `timeout` seconds, or None and a warning."""
    hint = (
        "You may want to run with use_subprocess=False in Comparator.run() or omit the "
        "--use-subprocess flag to prevent further issues."
    )
    try:
        obj = receive_on_queue(queue, timeout)
        if obj is None:
            G_LOGGER.warning(
                f"Received {obj} on the queue. This likely means that there was an error in "
                f"sending the object over the queue. {hint}"
            )
        return obj
    except Exception as err:
        G_LOGGER.warning(f"Could not receive on queue: {err}\n{hint}")
        return None
