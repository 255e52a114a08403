"""Random arrays."""

from __future__ import annotations

from polygraphy import util
from polygraphy.datatype import DataType
from polygraphy.logger import G_LOGGER
from polygraphy.mod._lazy_modules import np, torch

VALID_ARRAY_MODULES = ["numpy", "torch"]


class ArraySampler:
    """Random arrays of NumPy or PyTorch, the same ones for the same seed.

    Args:
        data_loader_backend_module: `"numpy"` or `"torch"`.
        seed: The seed.
    """

    def __init__(self, data_loader_backend_module: str, seed: int):
        self.data_loader_backend_module = data_loader_backend_module
        if data_loader_backend_module == "numpy":
            self.rng = np.random.RandomState(seed)
        elif data_loader_backend_module == "torch":
            self.rng = torch.Generator()
            self.rng.manual_seed(seed)
        else:
            G_LOGGER.critical(
                "Invalid `data_loader_backend_module`. Note: got: "
                f"{data_loader_backend_module} but valid modules are: {VALID_ARRAY_MODULES}"
            )

    def _dtype(self, dtype):
        if dtype is None:
            return None  # the framework's own choice
        return DataType.to_dtype(DataType.from_dtype(dtype), self.data_loader_backend_module)

    def sample_integer(self, shape, dtype, low, high):
        """Whole numbers, both ends included."""
        dtype = self._dtype(dtype)
        if self.data_loader_backend_module == "torch":
            low, high = int(low), int(high)
            return torch.randint(low, high + 1, tuple(shape), generator=self.rng, dtype=dtype)
        return self.rng.randint(low=low, high=high + 1, size=tuple(shape), dtype=dtype)

    def sample_float(self, shape, dtype, fmin, fmax):
        """Floating-point numbers. An infinite end makes all of them infinite."""
        dtype = self._dtype(dtype)
        # Where an end is infinite, it takes the place of what it would be multiplied with.
        infinite = [end for end in (fmax, fmin) if util.is_inf(end)]
        scale, shift = (infinite[0], 0) if infinite else (fmax - fmin, fmin)
        if self.data_loader_backend_module == "torch":
            samples = torch.rand(tuple(shape), generator=self.rng, dtype=dtype)
            return (samples.double() * scale + shift).to(samples.dtype)
        samples = self.rng.random_sample(size=tuple(shape))
        return np.array(samples * scale + shift).astype(dtype)

    def constant_array(self, shape, dtype):
        """A shape, as an array of its dimensions."""
        make = torch.tensor if self.data_loader_backend_module == "torch" else np.array
        return make(list(shape), dtype=self._dtype(dtype))
