"""Sessions of ONNX-Runtime."""

from __future__ import annotations

import os

from polygraphy import mod, util
from polygraphy.backend.base import BaseLoader
from polygraphy.logger import G_LOGGER

onnxrt = mod.lazy_import("onnxruntime>=1.10.0")


@mod.export(funcify=True)
class SessionFromOnnx(BaseLoader):
    """Makes a session of ONNX-Runtime for a model."""

    def __init__(self, model_bytes, providers=None, graph_optimization_level=None):
        """
        Args:
            model_bytes: The model: its bytes, a path, or a callable that returns either.
            providers: Execution providers, the preferred one first: names, parts of names without
                regard to case, or pairs of a name and its options. `["cpu"]` if left out.
            graph_optimization_level: A value of `onnxruntime.GraphOptimizationLevel`.
        """
        self._model_bytes_or_path = model_bytes
        self.providers = util.default(providers, ["cpu"])
        self.graph_optimization_level = graph_optimization_level

    def call_impl(self):
        """
        Returns:
            onnxruntime.InferenceSession: The session.
        """
        model_bytes, _ = util.invoke_if_callable(self._model_bytes_or_path)

        available_providers = onnxrt.get_available_providers()
        providers = []
        for prov in self.providers:
            name, options = prov if isinstance(prov, tuple) else (prov, None)
            matched = util.find_str_in_iterable(name, available_providers)
            if matched is None:
                G_LOGGER.critical(
                    "Could not find specified ONNX-Runtime execution provider.\n"
                    f"Note: Requested provider was: {prov}, but available providers are: "
                    f"{available_providers}"
                )
            providers.append(matched if options is None else (matched, options))

        sess_options = onnxrt.SessionOptions()
        if self.graph_optimization_level is not None:
            sess_options.graph_optimization_level = self.graph_optimization_level
        # ONNX-Runtime counts the cores of the machine, not those that the process may use.
        threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
        sess_options.intra_op_num_threads = sess_options.inter_op_num_threads = threads

        G_LOGGER.start(f"Creating ONNX-Runtime Inference Session with providers: {providers}")
        return onnxrt.InferenceSession(model_bytes, sess_options=sess_options, providers=providers)
