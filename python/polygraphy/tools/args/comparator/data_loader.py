"""Options of the inputs that models are run on."""

from __future__ import annotations

import numbers
from typing import List, Optional

from polygraphy import mod, util
from polygraphy.logger import G_LOGGER
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.model import ModelArgs
from polygraphy.tools.args.table import Row, TableArgs, option
from polygraphy.tools.script import Script, make_invocable, make_invocable_if_nondefault


def _parse_range(name: str, text: str) -> tuple:
    """`"[0,1]"` -> `(0, 1)`."""
    value = args_util.cast(text)
    parsed = tuple(value) if isinstance(value, list) else value
    note = f"\nNote: Option was parsed as: input: {name}, range: {parsed!r}"
    count = len(parsed) if isinstance(parsed, tuple) else 1
    if count != 2:
        G_LOGGER.critical(
            f"In --val-range, for input: {name}, expected to receive exactly 2 values, but "
            f"received {count}.{note}"
        )
    if not all(isinstance(end, numbers.Number) for end in parsed):
        G_LOGGER.critical(
            f"In --val-range, for input: {name}, one or more elements of the range could not be "
            f"parsed as a number.{note}"
        )
    return parsed


@mod.export()
class DataLoaderArgs(TableArgs):
    """Data Loader: the inputs of inference, random or loaded

    Depends on:

        - ModelArgs: for the shapes of random inputs, if `allow_custom_input_shapes` is True

    Args:
        allow_custom_input_shapes: Whether random inputs have the shapes that the model's options
            say. True if left out.
    """

    def __init__(self, allow_custom_input_shapes: Optional[bool] = None):
        super().__init__()
        self._allow_custom_input_shapes = util.default(allow_custom_input_shapes, True)

    def _options(self) -> List[Row]:
        return [
            option(
                "--seed",
                "Seed of the random inputs; iteration i uses SEED + i. Default: 1.",
                type="integer",
                metavar="SEED",
            ),
            option(
                "--val-range",
                "Range of generated values, both ends included, for all inputs or for one: [0,1] "
                "image:[0,255]. Default: [0,1].",
                nargs="+",
            ),
            option(
                "--iterations --iters",
                "Number of sets of inputs to generate and run. Default: 1.",
                type="integer",
                metavar="NUM",
            ),
            option(
                "--data-loader-backend-module",
                "Module that makes random inputs, as its arrays. Default: numpy.",
                choices=["numpy", "torch"],
            ),
            option(
                "--load-inputs --load-input-data",
                "Run saved inputs instead of random ones: files of --save-inputs, or folders of "
                "one file per iteration. Several are run one by one.",
                nargs="+",
                default=[],
                missing=[],
                dest="load_inputs_paths",
                exclusive=1,
            ),
            option(
                "--data-loader-script",
                "Inputs from a Python function, as SCRIPT[:FUNCTION]: it returns or yields dicts "
                "of input name to array. Default function: load_data.",
                exclusive=1,
            ),
        ]

    def parse_impl(self, args):
        """Sets these attributes:

        Attributes:
            seed (int): Seed of the first iteration
            val_range (Dict[str, Tuple[float, float]]): Input, `""` for all others -> minimum and
                maximum
            iterations (int): Number of sets of inputs to generate
            load_inputs_paths (List[str]): Files and folders with saved inputs
            data_loader_backend_module (str): `"numpy"` or `"torch"`
            data_loader_script (str): Python file with a function that makes inputs
            data_loader_func_name (str): The function
        """
        super().parse_impl(args)
        ranges = args_util.parse_arglist_to_dict(self.val_range, cast_to=str)
        self.val_range = ranges and {
            name: _parse_range(name, text) for name, text in ranges.items()
        }
        self.data_loader_script, self.data_loader_func_name = args_util.parse_script_and_func_name(
            self.data_loader_script, default_func_name="load_data"
        )
        if self.is_using_random_data():
            return
        for name in ("seed", "val_range", "iterations"):
            if args_util.get(args, name) is None:
                continue
            option_name = "--" + name.replace("_", "-")
            G_LOGGER.warning(
                f"Argument: '{option_name}' will be ignored since a custom data loader was "
                "provided.\nThis argument is only valid when using the default data loader."
            )

    def _add_loader(self, script: Script, metadata: Optional[Script.String]) -> tuple:
        """The variable of the data loader, or None; whether it is a function to be called."""
        if self.data_loader_script:
            script.add_import(imports=["mod"], frm="polygraphy")
            loader = make_invocable(
                "mod.import_from_script", self.data_loader_script, name=self.data_loader_func_name
            )
        elif self.load_inputs_paths:
            script.add_import(imports=["StreamingDataLoader"], frm="polygraphy.comparator")
            loader = make_invocable("StreamingDataLoader", self.load_inputs_paths, allow_dirs=True)
        else:
            loader = self._random_loader(script, metadata)
        return script.set_data_loader(loader), bool(self.data_loader_script)

    def _random_loader(self, script: Script, metadata) -> Optional[Script.String]:
        has_shapes = self._allow_custom_input_shapes and ModelArgs in self.arg_groups
        if metadata is None and has_shapes:
            metadata = self.arg_groups[ModelArgs].input_shapes or None
        if metadata is not None:
            script.add_import(imports=["TensorMetadata"], frm="polygraphy.common")
        loader = make_invocable_if_nondefault(
            "DataLoader",
            seed=self.seed,
            iterations=self.iterations,
            input_metadata=metadata,
            val_range=self.val_range,
            data_loader_backend_module=self.data_loader_backend_module,
        )
        if loader:
            script.add_import(imports=["DataLoader"], frm="polygraphy.comparator")
        return loader

    def add_to_script_impl(
        self, script: Script, user_input_metadata_str: Optional[Script.String] = None
    ) -> Optional[Script.String]:
        """Adds the data loader to a script.

        Args:
            script: The script.
            user_input_metadata_str: Code of the metadata of inputs, in place of the model's
                options.

        Returns:
            Code of the data loader, a variable or a call of it; None for the default one.
        """
        name, is_function = self._add_loader(script, user_input_metadata_str)
        return make_invocable(name.unwrap()) if is_function else name

    def get_data_loader(self, user_input_metadata=None):
        """Makes the data loader.

        Args:
            user_input_metadata: TensorMetadata of the inputs, in place of the model's options.

        Returns:
            Iterable[OrderedDict[str, numpy.ndarray]]: The data loader.
        """
        from polygraphy.comparator import DataLoader

        is_function = False

        def add_loader(script, metadata=None):
            nonlocal is_function
            name, is_function = self._add_loader(script, metadata)
            return name

        metadata = [] if user_input_metadata is None else [user_input_metadata]
        loader = args_util.run_script(add_loader, *metadata)
        if loader is None:
            return DataLoader()
        return loader() if is_function else loader

    def is_using_random_data(self) -> bool:
        """Whether inputs are random: neither loaded nor from a script."""
        return not self.data_loader_script and not self.load_inputs_paths
