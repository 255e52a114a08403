"""Options of functions that change outputs before they are compared."""

from __future__ import annotations

import re
from typing import List, Optional

from polygraphy import mod
from polygraphy.logger import G_LOGGER
from polygraphy.tools.args import util as args_util
from polygraphy.tools.args.table import Row, TableArgs, option
from polygraphy.tools.script import Script, make_invocable, safe


def _parse_function(text: str):
    """`"top-5"` -> `5`; `"top-5,axis=1"` or `"top-5,1"` -> `(5, 1)`."""
    matched = re.fullmatch(r"top-(\d+)(?:, *(?:axis=)?(-?\d+))?", text)
    if matched is None:
        G_LOGGER.critical(
            f"Invalid post-processing function: {text}. Note: Valid choices are: ['top-<K>']."
        )
    k, axis = matched.groups()
    return int(k) if axis is None else (int(k), int(axis))


@mod.export()
class ComparatorPostprocessArgs(TableArgs):
    """Comparator Postprocessing: functions that are applied to outputs before a comparison"""

    def _options(self) -> List[Row]:
        return [
            option(
                "--postprocess --postprocess-func",
                "Functions to apply to outputs, all or one, before they are validated and "
                "compared. top-<K>[,axis=<AXIS>], such as y:top-5: the indices of the K largest "
                "values along the axis, the last one by default.",
                nargs="+",
            ),
            option(
                "--postprocess-func-script",
                "Change outputs with a Python function instead, as SCRIPT[:FUNCTION]: it gets an "
                "IterationResult and returns one. Default function: postprocess_outputs.",
            ),
        ]

    def parse_impl(self, args):
        """Sets these attributes:

        Attributes:
            postprocess (Dict[str, Union[int, Tuple[int, int]]]): Output, `""` for all others -> K,
                or K and the axis
            postprocess_func_script (str): Python file with a function that changes outputs
            postprocess_func_name (str): The function
        """
        super().parse_impl(args)
        functions = args_util.parse_arglist_to_dict(self.postprocess, cast_to=str)
        self.postprocess = {name: _parse_function(text) for name, text in (functions or {}).items()}
        script = self.postprocess_func_script
        self.postprocess_func_script, self.postprocess_func_name = (
            args_util.parse_script_and_func_name(script, default_func_name="postprocess_outputs")
        )
        if self.postprocess and script:
            G_LOGGER.warning(
                "Argument: '--postprocess/--postprocess-func' will be ignored since "
                "'--postprocess-func-script' was provided."
            )

    def make_postprocess_func(self, script: Script) -> Optional[Script.String]:
        """Code of the function to apply, None if outputs stay as they are.

        Args:
            script: The script, to which the import for the code is added.
        """
        if self.postprocess_func_script:
            return script.invoke_from_script(
                self.postprocess_func_script, self.postprocess_func_name
            )
        if self.postprocess:
            script.add_import(imports=["TopKPostprocessFunc"], frm="polygraphy.comparator")
            return make_invocable("TopKPostprocessFunc", self.postprocess)
        return None

    def add_to_script_impl(self, script: Script, results_name: Script.String) -> Script.String:
        """Applies the function, if the options have one.

        Args:
            script: The script.
            results_name: The variable with the results. The script assigns the changed ones to it.

        Returns:
            The same variable.
        """
        function = self.make_postprocess_func(script)
        if function is not None:
            script.append_suffix(
                safe(
                    "\n# Postprocessing\n{result} = Comparator.postprocess({result}, {func})",
                    result=results_name,
                    func=function,
                )
            )
        return results_name
