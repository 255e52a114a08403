"""Running models with ONNX-Runtime."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import Optional

from polygraphy import mod, util
from polygraphy.backend.base import BaseRunner
from polygraphy.common import TensorMetadata
from polygraphy.datatype import DataType


@mod.export()
class OnnxrtRunner(BaseRunner):
    """Runs inference with a session of ONNX-Runtime.

    Args:
        sess: The session, or a callable that returns one.
        name: The runner's name; it is made, beginning with `onnxrt-runner`, if left out.
    """

    def __init__(self, sess, name: Optional[str] = None):
        super().__init__(name=name, prefix="onnxrt-runner")
        self._sess = sess

    def activate_impl(self) -> None:
        self.sess, _ = util.invoke_if_callable(self._sess)

    def deactivate_impl(self) -> None:
        del self.sess

    def get_input_metadata_impl(self) -> TensorMetadata:
        meta = TensorMetadata()
        for node in self.sess.get_inputs():
            dtype = DataType.from_dtype(node.type, "onnxruntime")
            meta.add(node.name, dtype=dtype, shape=node.shape)
        return meta

    def infer_impl(self, feed_dict: dict) -> dict:
        """
        Args:
            feed_dict: Name -> NumPy array or torch tensor.

        Returns:
            OrderedDict[str, Union[numpy.ndarray, torch.Tensor]]: Name -> array; torch tensors if
            any input is one.
        """
        use_torch = any(util.array.is_torch(arr) for arr in feed_dict.values())
        feeds = {name: util.array.to_numpy(arr) for name, arr in feed_dict.items()}

        start = time.time()
        outputs = self.sess.run(None, feeds)
        end = time.time()

        names = [node.name for node in self.sess.get_outputs()]
        if use_torch:
            outputs = map(util.array.to_torch, outputs)
        self.inference_time = end - start
        return OrderedDict(zip(names, outputs))
