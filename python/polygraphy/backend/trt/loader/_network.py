"""Empty networks, and the results of loaders of networks."""

from __future__ import annotations

from typing import Any, Tuple

from polygraphy import config as polygraphy_config
from polygraphy import mod, util
from polygraphy.backend.base import BaseLoader
from polygraphy.backend.trt import util as trt_util
from polygraphy.backend.trt._module import trt
from polygraphy.logger import G_LOGGER


def _bit_mask(members) -> int:
    """Members of one of TensorRT's enumerations as a set of bits."""
    mask = 0
    for member in members:
        mask |= 1 << int(member)
    return mask


def _unpack_network(given, needs_builder: bool = False) -> Tuple[Any, Any, Any]:
    """Builder, network and parser or None, of the result of a loader of networks."""
    builder, network, parser = util.unpack_args(given, num=3)
    if network is None or (needs_builder and builder is None):
        G_LOGGER.critical(
            "Expected to recevie a (builder, network) tuple for the `network` parameter, but "
            f"received: ({builder}, {network})"
        )
    return builder, network, parser


@mod.export(funcify=True)
class CreateNetwork(BaseLoader):
    """Makes an empty network."""

    def __init__(
        self,
        explicit_batch=None,
        strongly_typed=None,
        mark_unfused_tensors_as_debug_tensors=None,
    ):
        """
        Args:
            explicit_batch: Whether the batch is an ordinary dimension. If left out: True for
                versions of TensorRT that also support implicit batches.
            strongly_typed: Whether the inputs and operators set the types, not the builder. False
                if left out.
            mark_unfused_tensors_as_debug_tensors: Whether all unfused tensors become debug
                tensors. False if left out.
        """
        self.explicit_batch = explicit_batch
        self.strongly_typed = util.default(strongly_typed, False)
        self.mark_unfused_tensors_as_debug_tensors = util.default(
            mark_unfused_tensors_as_debug_tensors, False
        )

    @staticmethod
    def _needs_explicit_batch() -> bool:
        without_implicit_batch = "1.5" if polygraphy_config.USE_TENSORRT_RTX else "10.0"
        return mod.version(trt.__version__) < mod.version(without_implicit_batch)

    def call_impl(self):
        """
        Returns:
            Tuple[tensorrt.Builder, tensorrt.INetworkDefinition]: The builder and the network. The
            builder must live as long as the network.
        """
        builder = trt.Builder(trt_util.get_trt_logger())
        flags = 0
        explicit_batch = self.explicit_batch
        if explicit_batch is None:
            explicit_batch = self._needs_explicit_batch()
        for name, wanted in (
            ("explicit_batch", explicit_batch),
            ("strongly_typed", self.strongly_typed),
        ):
            if wanted:
                try:
                    flags |= 1 << int(getattr(trt.NetworkDefinitionCreationFlag, name.upper()))
                except AttributeError:
                    trt_util.fail_unavailable(name)

        network = builder.create_network(flags=flags)
        if network is None:
            G_LOGGER.critical("Invalid network. See logging output above for details.")
        if self.mark_unfused_tensors_as_debug_tensors:
            try:
                network.mark_unfused_tensors_as_debug_tensors()
            except AttributeError:
                trt_util.fail_unavailable("mark_unfused_tensors_as_debug_tensors")
        return builder, network
