"""wrong_tokens.py FOLDER [--type f32|f16] [--quantized NAME] [--seed N] [--samples N] [--length N]

A pair of decoders for verdicts on tokens. target.onnx has the rounding of its format and, in one row of the last
down_proj, wrong weights, which change the logits of one token of one sample; healthy.onnx has the rounding alone.

    reference.onnx   float32
    healthy.onnx     of the format
    target.onnx      of the format, with the fault
    samples/N.npz    inputs: token ids of row N of samples, with masks and positions
    wrong.json       sample, position; row of the weights; token, which the reference chooses by margin; instead
"""

import argparse
import json
import os
import sys

import numpy as np
import onnx

import decoders
import numpy_decoder
from cache_names import cache_names

# Of the wrong weights. Their channel is 8.6 at the token, and about 0 elsewhere.
STRENGTH = 0.5
# A token that stays the reference's by less may flip by rounding alone.
MARGIN = 3.0


class WrongTokens:
    """`reference`, `healthy` and `target` are pairs of a Spec and weights; `samples` token ids [samples, length];
    `sample` and `position` are where logits are wrong."""

    def __init__(self, spec, samples=8, length=24):
        self.samples = np.random.default_rng(spec.seed + 2).integers(0, spec.vocabulary, (samples, length))
        weights = decoders.make_weights(spec)
        last = f"model.layers.{spec.layers - 1}.mlp"
        states, logits = {}, []
        for i, row in enumerate(self.samples):
            def keep(name, x, i=i):
                if name == f"{last}.gate_proj":
                    states[i] = x
            logits.append(numpy_decoder.logits(spec, weights, row, keep))
        states = np.concatenate([states[i] for i in range(samples)])
        if len(states) > 0.8 * spec.hidden:
            raise ValueError(f"{len(states)} tokens are too many for a hidden size of {spec.hidden}: "
                             "there is no direction that belongs to one of them")
        # Column i is the direction that only the state of token i has a part in.
        directions = np.linalg.pinv(states)
        two = np.sort(np.concatenate(logits), axis=1)[:, -2:]
        for at in np.argsort(two[:, 0] - two[:, 1])[:20]:
            if self.plant(spec, weights, last, directions[:, at], np.unravel_index(at, self.samples.shape)):
                return
        raise ValueError("No token of these samples is far enough from a tie")

    def plant(self, spec, weights, last, direction, at):
        right = {name: values.copy() for name, values in weights.items()}
        self.row = 5
        for part in ("gate_proj", "up_proj"):
            right[f"{last}.{part}.weight"][:, self.row] = 3 * direction
        wrong = dict(right)
        wrong[f"{last}.down_proj.weight"] = right[f"{last}.down_proj.weight"].copy()
        wrong[f"{last}.down_proj.weight"][self.row] = STRENGTH * np.random.default_rng(3).standard_normal(spec.hidden)
        expected = numpy_decoder.logits(spec, right, self.samples[at[0]])[at[1]]
        found = numpy_decoder.logits(spec, wrong, self.samples[at[0]])[at[1]]
        order = np.sort(expected)
        self.margin = float(order[-1] - order[-2])
        self.token, self.instead = int(expected.argmax()), int(found.argmax())
        if self.margin < MARGIN or found[self.instead] - found[self.token] < MARGIN:
            return False
        self.sample, self.position = int(at[0]), int(at[1])
        self.reference = (spec.with_(type="f32", quantized=""), right)
        self.healthy, self.target = (spec, right), (spec, wrong)
        return True

    def save(self, folder):
        os.makedirs(os.path.join(folder, "samples"), exist_ok=True)
        for name in ("reference", "healthy", "target"):
            onnx.save(decoders.make(*getattr(self, name)), os.path.join(folder, f"{name}.onnx"))
        spec = self.reference[0]
        for i, row in enumerate(self.samples):
            np.savez(os.path.join(folder, "samples", f"{i}.npz"), **inputs(spec, row[None]))
        with open(os.path.join(folder, "wrong.json"), "w") as file:
            json.dump({name: getattr(self, name)
                       for name in ("sample", "position", "margin", "row", "token", "instead")}, file)


def inputs(spec, ids):
    """The inputs of a prefill of rows of token ids."""
    given = {"input_ids": np.asarray(ids, np.int64)}
    if spec.form == "nocache":
        return given
    given["attention_mask"] = np.ones(ids.shape, np.int64)
    if spec.form in ("optimum", "hf", "torch"):
        given["position_ids"] = np.broadcast_to(np.arange(ids.shape[1]), ids.shape).copy()
    if spec.form == "torch":
        given["cache_position"] = np.arange(ids.shape[1])
    rows = spec.max_length if spec.form == "shared" else 0
    for i in range(spec.layers):
        for name in cache_names(spec.form, i)[0]:
            given[name] = np.zeros((len(ids), spec.kv_heads, rows, spec.head_size), decoders.TYPES[spec.type][1])
    return given


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--kind", default="qwen-nocache")
    parser.add_argument("--type", choices=decoders.TYPES, default="f32")
    parser.add_argument("--quantized", choices=decoders.QUANTIZED, default="int4")
    for name, value in (("seed", 0), ("samples", 8), ("length", 24)):
        parser.add_argument(f"--{name}", type=int, default=value)
    values = parser.parse_args(arguments)
    architecture, form = decoders.parse_kind(values.kind)
    spec = decoders.Spec(architecture=architecture, form=form, type=values.type, quantized=values.quantized,
                         seed=values.seed, hidden=256)
    WrongTokens(spec, values.samples, values.length).save(values.folder)


if __name__ == "__main__":
    main(sys.argv[1:])
