"""Loads and runs models in ONNX Runtime without optimizations, in a separate process: its threads would not survive
the forks of the tests.

Standard input: JSON, a list of [model, inputs (.npz, or null: load only), where to save outputs (.npz, or null)].
Standard output: a list of the error of each, or null.
"""
import json
import os
import sys

os.environ["ORT_DISABLE_TELEMETRY"] = "1"
import numpy  # noqa: E402
import onnxruntime  # noqa: E402


def wrong_with(model, inputs, outputs):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        if inputs is None:
            return None
        values = session.run(None, dict(numpy.load(inputs)))
    except Exception as error:  # noqa: BLE001: any error is an answer
        return str(error)
    if outputs is not None:
        numpy.savez(outputs, **{o.name: v for o, v in zip(session.get_outputs(), values)})
    return None


if __name__ == "__main__":
    json.dump([wrong_with(*job) for job in json.load(sys.stdin)], sys.stdout)
