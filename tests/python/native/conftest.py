import signal

import pytest


@pytest.fixture(autouse=True, scope="session")
def interrupts_are_noticed():
    """Processes that a shell starts in the background ignore SIGINT, and so do their children."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
