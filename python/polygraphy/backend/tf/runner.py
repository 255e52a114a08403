"""Running graphs of TensorFlow."""

from __future__ import annotations

import os
import time
from collections import OrderedDict
from typing import Dict, Optional

from polygraphy import mod, util
from polygraphy.backend.base import BaseRunner
from polygraphy.backend.tf import util as tf_util
from polygraphy.backend.tf._tensorflow import tf
from polygraphy.common import TensorMetadata
from polygraphy.logger import G_LOGGER

timeline = mod.lazy_import("tensorflow.python.client.timeline", log=False)


@mod.export()
class TfRunner(BaseRunner):
    """Runs inference with a session of TensorFlow.

    Args:
        sess: The session and the names of its outputs, or a callable that returns both. The session
            of a callable is closed when the runner is deactivated.
        timeline_dir: A folder for a profile of each inference, `run-0` and so on, as JSON for
            Chrome's tracing. Makes inference slower.
        name: The runner's name; it is made, beginning with `tf-runner`, if left out.
    """

    def __init__(self, sess, timeline_dir: Optional[str] = None, name: Optional[str] = None):
        super().__init__(name=name, prefix="tf-runner")
        self._sess = sess
        self.timeline_dir = timeline_dir
        self.num_inferences = 0
        """int: Inferences with a profile since the activation"""
        self.run_options = None
        self.run_metadata = None
        if timeline_dir is not None:
            G_LOGGER.warning("Profiling is enabled. This will impact performance")
            self.run_options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
            self.run_metadata = tf.RunMetadata()

    def activate_impl(self) -> None:
        (self.sess, self.output_names), self._owns_session = util.invoke_if_callable(self._sess)

    def deactivate_impl(self) -> None:
        if self._owns_session:
            self.sess.close()
        del self.sess, self.output_names, self._owns_session
        self.num_inferences = 0

    def get_input_metadata_impl(self) -> TensorMetadata:
        return tf_util.get_input_metadata(self.sess.graph)

    def infer_impl(self, feed_dict: Dict) -> Dict:
        """
        Args:
            feed_dict: Name -> NumPy array or torch tensor.

        Returns:
            OrderedDict[str, numpy.ndarray]: Name -> array.
        """
        feeds = {name: util.array.to_numpy(array) for name, array in feed_dict.items()}
        start = time.time()
        outputs = self.sess.run(
            self.output_names,
            feed_dict=feeds,
            options=self.run_options,
            run_metadata=self.run_metadata,
        )
        end = time.time()
        self.inference_time = end - start

        if self.timeline_dir is not None:
            profile = timeline.Timeline(self.run_metadata.step_stats)
            path = os.path.join(self.timeline_dir, f"run-{self.num_inferences}")
            util.save_file(profile.generate_chrome_trace_format(), path, mode="w")
            self.num_inferences += 1
        return OrderedDict(zip(self.output_names, outputs))
