"""Where inputs come from: random numbers, files, and what one runner got before."""

from __future__ import annotations

import contextlib
import warnings
from collections import OrderedDict
from typing import Any, Callable, Iterator, Optional

from polygraphy import constants, mod, util
from polygraphy.datatype import DataType
from polygraphy.exception import DataTypeConversionException, PolygraphyException
from polygraphy.json.serde import iterate_from_files, iterate_json_list
from polygraphy.logger import G_LOGGER, LogMode

np = mod.lazy_import("numpy")
torch = mod.lazy_import("torch>=1.13.0")

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
        scale = fmax - fmin
        shift = fmin
        if util.is_inf(fmin):
            scale = fmin
            shift = 0
        if util.is_inf(fmax):
            scale = fmax
            shift = 0
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
        data_loader_backend_module: Whose arrays: `"numpy"` (if left out) or `"torch"`.
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
        """A shape without dynamic dimensions for an input that nobody gave one."""
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
            # Nobody has told what the model wants: the user's word is all there is.
            metadata = user_metadata
        keys_of_inputs, unmatched = util.match_keys(user_metadata.keys(), metadata.keys())
        for name in unmatched:
            if util.contains_wildcard(name):
                G_LOGGER.warning(
                    f"Input tensor wildcard: {name} | Metadata was provided, but none of the "
                    "matched inputs exist in one or more runners."
                )
                continue
            msg = (
                f"Input tensor: {name} | Metadata was provided, but the input does not exist "
                "in one or more runners."
            )
            close_match = util.find_str_in_iterable(name, metadata.keys())
            if close_match is not None:
                msg += f"\nMaybe you meant to set: {close_match}?"
            G_LOGGER.warning(msg)

        buffers = OrderedDict()
        for name, (dtype, shape) in metadata.items():
            user_dtype, user_shape = None, None
            if name in keys_of_inputs:
                user_dtype, user_shape = user_metadata[keys_of_inputs[name]]
            dtype = util.default(user_dtype, dtype)
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


def coerce_buffer(buffer, name: str, dtype, shape):
    """An array in the data type and shape that an input wants, with warnings where it had others.

    Args:
        buffer: The array.
        name: The input.
        dtype: Its data type, or None.
        shape: Its shape, or None.

    Raises:
        PolygraphyException: If it cannot be brought there.
    """
    buffer_dtype, buffer_shape = util.array.dtype(buffer), util.array.shape(buffer)

    dtype = DataType.from_dtype(dtype) if dtype is not None else None
    if dtype is not None and buffer_dtype != dtype:
        G_LOGGER.warning(
            f"Input tensor: {name} | Buffer dtype ({buffer_dtype}) does not match expected input "
            f"dtype ({dtype}), attempting to cast."
        )
        if (dtype.is_integral or dtype.is_floating) and not util.is_empty_shape(buffer_shape):
            limits = np.iinfo if dtype.is_integral else np.finfo
            info = limits(DataType.to_dtype(dtype, "numpy"))
            if util.array.min(buffer) < info.min or util.array.max(buffer) > info.max:
                G_LOGGER.warning(
                    f"Some values in this input are out of range of {dtype}. "
                    "Unexpected behavior may ensue!"
                )
        buffer = util.array.cast(buffer, dtype)

    if not util.is_valid_shape_override(buffer_shape, shape):
        G_LOGGER.warning(
            f"Input tensor: {name} | Buffer shape ({buffer_shape}) does not match expected input "
            f"shape ({shape}). Attempting to transpose/reshape."
        )
        buffer = util.try_match_shape(buffer, shape)

    wrong_dtype = dtype is not None and util.array.dtype(buffer) != dtype
    if wrong_dtype or not util.is_valid_shape_override(util.array.shape(buffer), shape):
        G_LOGGER.critical(
            f"Input tensor: {name} | Cannot reuse input data due to mismatch in shape or data "
            f"type.\nNote: Provided input: [dtype={util.array.dtype(buffer)}, "
            f"shape={util.array.shape(buffer)}], Requested input: [dtype={dtype}, shape={shape}]"
        )
    return buffer


def coerce_feed_dict(feed_dict, input_metadata, fallback: Optional[Callable] = None):
    """Inputs as a model wants them: only those that it has, by its names, types and shapes.

    Args:
        feed_dict: Name -> array.
        input_metadata: What the model wants, TensorMetadata.
        fallback: Gets a name and returns another array for it, where the one given does not fit.
    """
    coerced = OrderedDict()
    for index, (name, (dtype, shape)) in enumerate(input_metadata.items()):
        matched_name = util.find_str_in_iterable(name, feed_dict.keys(), index)
        try:
            if matched_name is None:
                G_LOGGER.critical(
                    f"Input tensor: {name} | Does not exist in the provided input data."
                )
            if matched_name != name:
                G_LOGGER.warning(
                    f"Input tensor: {name} | Buffer name ({matched_name}) does not match expected "
                    f"input name ({name})."
                )
            coerced[name] = coerce_buffer(feed_dict[matched_name], name, dtype, shape)
        except PolygraphyException:
            if fallback is None:
                raise
            G_LOGGER.warning(
                f"Could not use the provided buffer for input: {name}. Attempting to reload it "
                "from the data loader (this only works if the data loader supports random "
                "access).\nPlease refer to warnings above for details on why the buffer didn't "
                "work. "
            )
            try:
                coerced[name] = coerce_buffer(fallback(name), name, dtype, shape)
            except Exception:
                # Data loaders may raise anything where they cannot be indexed.
                G_LOGGER.critical(
                    f"Input tensor: {name} | Could not use the provided input and could not "
                    "reload a replacement from the data loader.\nInputs loaded from files "
                    "(--load-inputs) are read as-is; if the runners run different models, use a "
                    "data loader that can generate matching inputs."
                )
    return coerced


def _is_feed_dict(obj: Any) -> bool:
    from polygraphy.comparator.struct import RunResults

    is_mapping = hasattr(obj, "items") and hasattr(obj, "keys")
    return (
        is_mapping
        and not isinstance(obj, RunResults)
        and all(isinstance(name, str) for name in obj.keys())
    )


def check_feed_dict(obj: Any, source: str = "data loader") -> None:
    """Checks that something is a dictionary of name -> array.

    Args:
        obj: The object.
        source: Where it is from, for the message.

    Raises:
        PolygraphyException: If it is not.
    """
    if _is_feed_dict(obj):
        return
    from polygraphy.comparator.struct import RunResults

    hint = ""
    if isinstance(obj, RunResults):
        hint = (
            "\nHint: This is a `RunResults` object (e.g. generated with `--save-outputs`). Use the "
            "`data merge` tool to convert it to a feed_dict-compatible format."
        )
    G_LOGGER.critical(
        f"The {source} returned an object that cannot be recognized as a feed_dict "
        "(Dict[str, Union[np.ndarray, torch.Tensor, DeviceView]]):\n"
        f"Note: The object was:\n{obj}.{hint}"
    )


class DataLoaderCache:
    """Inputs that every runner gets, although a data loader may give them once only.

    Args:
        data_loader: Something that can be iterated for dictionaries of name -> array.
    """

    def __init__(self, data_loader):
        self.data_loader = data_loader
        self.cache: list = []

    def __len__(self) -> int:
        return len(self.cache)

    def __getitem__(self, iteration: int):
        """The inputs of one iteration, as the present runner wants them.

        Raises:
            IndexError: After the last iteration.
        """
        if iteration >= len(self.cache):
            raise IndexError()
        return coerce_feed_dict(
            self.cache[iteration],
            self.input_metadata,
            fallback=lambda name: self.data_loader[iteration][name],
        )

    def set_input_metadata(self, input_metadata) -> None:
        """Tells what the present runner wants; the first time, takes everything out of the loader.

        Args:
            input_metadata: TensorMetadata of the runner's inputs.
        """
        self.input_metadata = input_metadata
        # What cannot have attributes, such as a list or a generator, does without.
        with contextlib.suppress(AttributeError):
            self.data_loader.input_metadata = input_metadata

        if self.cache:
            return
        G_LOGGER.verbose("Loading inputs from data loader")
        for feed_dict in self.data_loader:
            check_feed_dict(feed_dict)
            self.cache.append(feed_dict)
        if not self.cache:
            G_LOGGER.warning("Data loader did not yield any input data.")
