import pytest

from doubles import build_cudart


@pytest.fixture(scope="session")
def cudart(tmp_path_factory) -> dict:
    """The environment in which the double of libcudart is found."""
    return build_cudart(tmp_path_factory.mktemp("cudart"))
