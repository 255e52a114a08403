"""decoders.py KIND OUT.onnx [--type f32|f16] [--quantized NAME] [--fault NAME] [--layers N] ...

Small decoders of language models with random weights and a KV cache, as the exporters write them. A kind is an
architecture and a form of export, in any order: `qwen`, `llama-genai`, `shared`. Architectures:

    qwen      RMS normalisation, grouped queries, biases of Q, K and V, rotary positions, SwiGLU
    llama     the same without biases

Forms of export; tests/llm/exported.py makes real ones, with these inputs and outputs:

    optimum   input_ids, attention_mask, position_ids, past_key_values.I.key -> logits, present.I.key
    genai     GroupQueryAttention of packed Q, K and V, which rotates; no position_ids; all keys, then all values
    shared    genai, with past and present of one length: [batch, heads, --max-length, size]
    window    genai, where each second layer sees 8 positions only, from buffers of which it drops the oldest itself
    hf        transformers' own exporter: cache.layers.I.keys, with input. and output. before it
    torch     torch.onnx.export: past_key_values_key_cache_I, cache_position; outputs have names of operators
    nocache   input_ids -> logits

The same seed gives the same weights to every form, type and fault.
"""

import argparse
import sys

import onnx

import cache_faults
import decoder_graph
from decoder_spec import ARCHITECTURES, FORMS, TYPES, Spec, make_weights, parse_kind  # noqa: F401
from quantized_linear import QUANTIZED


def make(spec=Spec(), weights=None):
    """The model; `weights` of make_weights(), by default those of the seed."""
    return decoder_graph.make(spec, make_weights(spec) if weights is None else weights)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind")
    parser.add_argument("model")
    parser.add_argument("--type", choices=TYPES, default="f32")
    parser.add_argument("--quantized", choices=QUANTIZED, default="")
    parser.add_argument("--fault", choices=cache_faults.FAULTS, default="")
    for name, value in (("layers", 2), ("hidden", 64), ("heads", 4), ("kv-heads", 2), ("vocabulary", 97),
                        ("max-length", 32), ("seed", 0)):
        parser.add_argument(f"--{name}", type=int, default=value)
    values = vars(parser.parse_args(arguments))
    path = values.pop("model")
    values["architecture"], values["form"] = parse_kind(values.pop("kind"))
    onnx.save(make(Spec(**values)), path)


if __name__ == "__main__":
    main(sys.argv[1:])
