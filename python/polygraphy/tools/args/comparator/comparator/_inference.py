"""Options of running models."""

from __future__ import annotations

from typing import List, Optional

from polygraphy import mod
from polygraphy.tools.args.comparator.data_loader import DataLoaderArgs
from polygraphy.tools.args.table import Row, TableArgs, flag, option
from polygraphy.tools.script import Script, inline, make_invocable, safe


@mod.export()
class ComparatorRunArgs(TableArgs):
    """Comparator Inference: running models, and saving inputs and outputs

    Depends on:

        - DataLoaderArgs
        - RunnerSelectArgs: without it, there are runners
        - ComparatorCompareArgs: without it, runners run one after the other

    Attributes:
        warm_up (int): Number of runs before the measured ones
        use_subprocess (bool): Whether each runner has a separate process
        save_inputs_path (str): File or folder that inputs are saved to
        save_outputs_path (str): File or folder that outputs are saved to
        save_input_blob_path (str): Folder for raw bytes of inputs
    """

    def _options(self) -> List[Row]:
        return [
            option(
                "--warm-up",
                "Run the first inputs this number of times before the measured runs. Needs "
                "--sequential-runners. Default: 0.",
                type="integer",
                metavar="NUM",
            ),
            flag(
                "--use-subprocess",
                "Run each runner in a separate process. Needs --sequential-runners.",
            ),
            option(
                "--save-inputs --save-input-data",
                "Save the inputs: to a JSON file or, for a path without extension, to a folder of "
                "one file per iteration.",
                dest="save_inputs_path",
            ),
            option(
                "--save-input-blob",
                "Also save the raw bytes of the inputs: FOLDER/<iteration>/<input>.bin. Default: "
                "the current folder.",
                nargs="?",
                const=".",
                dest="save_input_blob_path",
            ),
            option(
                "--save-outputs --save-results",
                "Save the outputs of all runners, like --save-inputs.",
                dest="save_outputs_path",
            ),
        ]

    def has_runners(self) -> bool:
        """Whether a runner was selected, or could not be."""
        selection = self._group_named("RunnerSelectArgs")
        return selection is None or bool(selection.runners)

    def add_to_script_impl(self, script: Script) -> Optional[Script.String]:
        """Runs the runners of a script.

        Returns:
            The variable with the results; None if there are no runners.
        """
        script.add_import(imports=["Comparator"], frm="polygraphy.comparator")
        if not self.has_runners():
            return None
        groups = self.arg_groups
        streaming = getattr(self._group_named("ComparatorCompareArgs"), "streaming", False)
        has_inputs = DataLoaderArgs in groups
        call = make_invocable(
            "Comparator.run",
            script.get_runners(),
            warm_up=self.warm_up,
            data_loader=groups[DataLoaderArgs].add_to_script(script) if has_inputs else None,
            use_subprocess=self.use_subprocess,
            save_inputs_path=self.save_inputs_path,
            save_outputs_path=self.save_outputs_path,
            save_input_blob_path=self.save_input_blob_path,
            streaming=True if streaming else None,
        )
        name = inline(safe("run_stream" if streaming else "results"))
        script.append_suffix(safe("\n# Runner Execution\n{name} = {call}", name=name, call=call))
        return name
