"""Running modules of PyTorch."""

from __future__ import annotations

import itertools
import time
from collections import OrderedDict
from typing import Any, Dict, Iterator, List, Optional

from polygraphy import mod, util
from polygraphy.backend.base import BaseRunner
from polygraphy.common import TensorMetadata
from polygraphy.logger import G_LOGGER
from polygraphy.mod._lazy_modules import torch


def _device_of(module):
    """Where the parameters of a module are; None if it has none."""
    first = next(itertools.chain(module.parameters(), module.buffers()), None)
    return None if first is None else first.device


def _wait_for(device) -> None:
    """Waits until a GPU has finished its work."""
    if device is not None and device.type == "cuda":
        torch.cuda.synchronize(device)


def _tensors_in(returned: Any) -> Iterator:
    """The tensors of what a module returns: one, or nested sequences of them, in order."""
    if isinstance(returned, (tuple, list)):
        for element in returned:
            yield from _tensors_in(element)
    elif returned is not None:
        yield returned


def _to_numpy(tensor):
    """The values on the host: an array, or a tensor if NumPy has no such type (bfloat16)."""
    try:
        return util.array.to_numpy(tensor)
    except TypeError:
        return tensor.cpu()


@mod.export()
class PytRunner(BaseRunner):
    """Runs inference with a module of PyTorch.

    Inputs are moved to where the module's parameters are, and passed by position. The module is
    put into evaluation mode.

    Args:
        model: A `torch.nn.Module`, or a callable that returns one.
        input_metadata: TensorMetadata of the module's parameters, in their order.
        output_names: The names of what the module returns: a tensor, a tuple or list of tensors,
            which may be nested, or a dictionary with these names.
        name: The runner's name; it is made, beginning with `pytorch-runner`, if left out.
    """

    def __init__(
        self,
        model,
        input_metadata: TensorMetadata,
        output_names: List[str],
        name: Optional[str] = None,
    ):
        super().__init__(name=name, prefix="pytorch-runner")
        self._model = model
        self.input_metadata = input_metadata
        self.output_names = output_names

    def activate_impl(self) -> None:
        model = self._model
        # Modules can be called, too.
        if not isinstance(model, torch.nn.Module):
            model, _ = util.invoke_if_callable(model)
        self.model = model
        self.model.eval()

    def deactivate_impl(self) -> None:
        del self.model

    def get_input_metadata_impl(self) -> TensorMetadata:
        return self.input_metadata

    def infer_impl(self, feed_dict: Dict) -> Dict:
        """
        Args:
            feed_dict: Name -> NumPy array or torch tensor.

        Returns:
            OrderedDict[str, Union[numpy.ndarray, torch.Tensor]]: Name -> array; torch tensors,
            where the module is, if any input is one.
        """
        use_torch = any(util.array.is_torch(arr) for arr in feed_dict.values())
        device = _device_of(self.model)
        inputs = [self._input(name, feed_dict[name], device) for name in self.input_metadata]

        with torch.no_grad():
            _wait_for(device)
            start = time.time()
            returned = self.model(*inputs)
            _wait_for(device)
            end = time.time()

        self.inference_time = end - start
        return OrderedDict(
            (name, tensor.detach() if use_torch else _to_numpy(tensor.detach()))
            for name, tensor in self._named(returned)
        )

    def _input(self, name: str, array, device):
        tensor = util.array.to_torch(array)
        dtype = self.input_metadata[name].dtype
        if dtype is not None:
            tensor = util.array.cast(tensor, dtype)
        return tensor if device is None else tensor.to(device)

    def _named(self, returned) -> list:
        """Pairs of output name and tensor."""
        if hasattr(returned, "items"):
            missing = [name for name in self.output_names if name not in returned]
            if missing:
                G_LOGGER.critical(
                    f"{self.name:35} | The model did not return outputs: {missing}.\n"
                    f"Note: It returned: {list(returned.keys())}"
                )
            return [(name, returned[name]) for name in self.output_names]

        tensors = list(_tensors_in(returned))
        if len(tensors) != len(self.output_names):
            G_LOGGER.critical(
                f"{self.name:35} | The model returned {len(tensors)} output(s), but there are "
                f"{len(self.output_names)} output name(s): {list(self.output_names)}"
            )
        return list(zip(self.output_names, tensors))
