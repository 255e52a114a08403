"""Loaders of input data."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from typing import Any, Callable, Iterator, Optional

from polygraphy import constants, mod, util
from polygraphy.datatype import DataType
from polygraphy.exception import DataTypeConversionException
from polygraphy.json.serde import iterate_from_files, iterate_json_list
from polygraphy.logger import G_LOGGER, LogMode
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


@mod.export()
class DataLoader:
    """Random inputs. Indices and iteration give a dictionary of name -> array each.

    The numbers depend on seed and index only: index 1 of seed 1 is index 0 of seed 2.

    Args:
        seed: Seed of index 0. 1 if left out.
        iterations: How many there are. 1 if left out.
        input_metadata: TensorMetadata with names (or patterns of names) of inputs, whose shapes and
            data types stand instead of the model's where they are given. Of an input that holds a
            shape, the shape given here becomes the value.
        val_range: Least and greatest value, (0, 1) if left out, or a dictionary of such pairs by
            name of an input, with `""` for the others.
        data_loader_backend_module: The module of the arrays: `"numpy"` (if left out) or `"torch"`.
        int_range: Least and greatest value of whole numbers, instead of `val_range`. Deprecated.
        float_range: The same of floating-point numbers.
    """

    _int_range: Any = None
    _float_range: Any = None

    def __init__(
        self,
        seed: Optional[int] = None,
        iterations: Optional[int] = None,
        input_metadata=None,
        val_range: Any = None,
        data_loader_backend_module: Optional[str] = None,
        *,
        int_range: Optional[tuple] = None,
        float_range: Optional[tuple] = None,
    ):
        self.seed = util.default(seed, constants.DEFAULT_SEED)
        self.iterations = util.default(iterations, 1)
        self.user_input_metadata = util.default(input_metadata, {})
        self.data_loader_backend_module = util.default(data_loader_backend_module, "numpy")
        self.input_metadata = None
        self.default_val_range = (0.0, 1.0)
        self.val_range = util.default(val_range, self.default_val_range)
        for name, given in (("int_range", int_range), ("float_range", float_range)):
            if given is not None:
                warnings.warn(
                    f"DataLoader: {name} is deprecated. Use val_range instead.",
                    DeprecationWarning,
                    stacklevel=2,
                )
                setattr(self, f"_{name}", given)

        if self.user_input_metadata:
            G_LOGGER.info(
                "Will generate inference input data according to provided TensorMetadata: "
                f"{self.user_input_metadata}"
            )

    def __repr__(self) -> str:
        return util.make_repr(
            "DataLoader",
            seed=self.seed,
            iterations=self.iterations,
            input_metadata=self.user_input_metadata or None,
            val_range=self.val_range,
            data_loader_backend_module=self.data_loader_backend_module,
        )[0]

    def _range(self, name: str, cast: Callable) -> tuple:
        """Least and greatest value of an input, None being the default's."""
        by_kind = {int: self._int_range, float: self._float_range}.get(cast)
        val_range = util.default(by_kind, self.val_range)
        pair = util.value_or_from_dict(val_range, name, self.default_val_range)
        pair = tuple(pair) if util.is_sequence(pair) else pair
        low, high = pair
        low = util.default(low, self.default_val_range[0])
        high = util.default(high, self.default_val_range[1])
        return cast(low), cast(high)

    @staticmethod
    def _static_shape(name: str, shape):
        """A shape without dynamic dimensions for an input without a given shape."""
        if not util.is_shape_dynamic(shape):
            return shape
        bounds = (getattr(shape, "min", None), getattr(shape, "max", None))
        static_shape = next((bound for bound in bounds if bound is not None), None)
        if static_shape is None:
            static_shape = util.override_dynamic_shape(shape)
        if not util.is_valid_shape_override(static_shape, shape):
            G_LOGGER.critical(
                f"Input tensor: {name} | Cannot override original shape: {shape} to {static_shape}"
            )
        G_LOGGER.warning(
            f"Input tensor: {name} [shape={shape}] | Will generate data of shape: "
            f"{static_shape}.\nIf this is incorrect, please provide a custom data loader.",
            mode=LogMode.ONCE,
        )
        return static_shape

    @staticmethod
    def _is_shape_tensor(dtype, shape, user_shape) -> bool:
        """Whether an input seems to hold a shape: as many whole numbers as the given shape has."""
        if user_shape is None or not getattr(dtype, "is_integral", dtype is None):
            return False
        if util.is_shape_dynamic(user_shape) or util.is_shape_dynamic(shape) or len(shape) != 1:
            return False
        return len(user_shape) == shape[0]

    def _generate(self, sampler: ArraySampler, name: str, dtype, shape, user_shape):
        # A pattern stands for many inputs, not all of which need to hold shapes.
        is_named = name in self.user_input_metadata
        if is_named and self._is_shape_tensor(dtype, shape, user_shape):
            buffer = sampler.constant_array(user_shape, dtype)
            G_LOGGER.info(
                f"Assuming {name} is a shape tensor. Setting input values to: {buffer}. "
                "If these values are not correct, please set it correctly in 'input_metadata' or "
                "by providing --input-shapes",
                mode=LogMode.ONCE,
            )
            return buffer

        if user_shape is not None:
            if util.is_shape_dynamic(user_shape):
                G_LOGGER.warning(
                    f"Input tensor: {name} [shape={shape}] | Provided input shape: {user_shape} "
                    "is dynamic.\nDynamic shapes cannot be used to generate inference data. Will "
                    "use default shape instead.\nTo avoid this, please provide a fixed shape to "
                    "the data loader. "
                )
                user_shape = None
            elif not util.is_valid_shape_override(user_shape, shape):
                G_LOGGER.warning(
                    f"Input tensor: {name} [shape={shape}] | Cannot use provided custom shape: "
                    f"{user_shape} to override tensor shape. Will use default shape instead.",
                    mode=LogMode.ONCE,
                )
                user_shape = None
        static = user_shape if user_shape is not None else self._static_shape(name, shape)

        is_bool = dtype == DataType.BOOL
        is_integer = is_bool or getattr(dtype, "is_integral", False)
        low, high = self._range(name, bool if is_bool else int if is_integer else float)
        G_LOGGER.verbose(
            f"Input tensor: {name} | Generating input data in range: [{low}, {high}]",
            mode=LogMode.ONCE,
        )
        sample = sampler.sample_integer if is_integer else sampler.sample_float
        return sample(static, dtype, low, high)

    def __getitem__(self, index: int):
        """The inputs of one iteration.

        Args:
            index: The iteration.

        Returns:
            OrderedDict[str, Union[numpy.ndarray, torch.Tensor]]: Name -> array.

        Raises:
            IndexError: After the last iteration.
        """
        if index >= self.iterations:
            raise IndexError()

        G_LOGGER.verbose(f"Generating data using numpy seed: {self.seed + index}")
        sampler = ArraySampler(self.data_loader_backend_module, self.seed + index)

        metadata = self.input_metadata
        user_metadata = self.user_input_metadata
        if metadata is None:
            # The model's own inputs are not known: only the user's metadata is.
            metadata = user_metadata
        keys_of_inputs, unmatched = util.match_keys(user_metadata.keys(), metadata.keys())
        for name in unmatched:
            self._warn_about_unknown_input(name, metadata)

        buffers = OrderedDict()
        for name, (dtype, shape) in metadata.items():
            user_dtype, user_shape = None, None
            if name in keys_of_inputs:
                user_dtype, user_shape = user_metadata[keys_of_inputs[name]]
            dtype = self._data_type(name, util.default(user_dtype, dtype))
            buffers[name] = self._generate(sampler, name, dtype, shape, user_shape)

        if isinstance(self.val_range, dict):
            util.check_sequence_contains(
                self.val_range.keys(),
                ["", *metadata.keys()],
                name="val_range",
                log_func=G_LOGGER.warning,
                check_missing=False,
            )
        return buffers

    @staticmethod
    def _warn_about_unknown_input(name: str, metadata) -> None:
        """Says that metadata has no effect: no input has the name, or matches it."""
        if util.contains_wildcard(name):
            G_LOGGER.warning(
                f"Input tensor wildcard: {name} | Metadata was provided, but none of the "
                "matched inputs exist in one or more runners."
            )
            return
        msg = (
            f"Input tensor: {name} | Metadata was provided, but the input does not exist "
            "in one or more runners."
        )
        close_match = util.find_str_in_iterable(name, metadata.keys())
        if close_match is not None:
            msg += f"\nMaybe you meant to set: {close_match}?"
        G_LOGGER.warning(msg)

    def _data_type(self, name: str, dtype):
        """The `DataType` of an input. Raises PolygraphyException if arrays cannot have it."""
        try:
            if dtype is not None:
                dtype = DataType.from_dtype(dtype)
                DataType.to_dtype(dtype, self.data_loader_backend_module)
        except DataTypeConversionException:
            G_LOGGER.critical(
                f"Could not convert data type: {dtype} to {self.data_loader_backend_module}, "
                f"so the default data loader cannot generate a "
                f"{self.data_loader_backend_module} array for input: {name}. "
                "Please use a custom data loader to provide inputs. "
            )
        return dtype


@mod.export()
class StreamingDataLoader:
    """Inputs that were saved, read one iteration at a time.

    Args:
        paths: A file, or a folder with a file for each iteration, or several of both.
        allow_dirs: Whether folders are fine. True if left out.
    """

    def __init__(self, paths, allow_dirs: bool = True):
        self.paths = paths
        self.allow_dirs = allow_dirs

    def __repr__(self) -> str:
        return util.make_repr("StreamingDataLoader", self.paths, allow_dirs=self.allow_dirs)[0]

    def __iter__(self) -> Iterator[dict]:
        yield from iterate_from_files(
            self.paths, lambda path: iterate_json_list(path, "input data"), self.allow_dirs
        )
