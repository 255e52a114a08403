"""exported.py EXPORTER FOLDER [--architecture qwen|llama]: a decoder of decoders.py, with its weights, by a real
exporter: FOLDER/model.onnx. Exit code 77 where a package is missing.

The exporters write, for 2 layers, 2 kv heads and heads of 16; T is the past and new tokens together:

optimum (optimum 2.1.0 and optimum-onnx 0.1.0, with transformers 4.57.6)
    input_ids [batch_size, sequence_length], attention_mask [batch_size, "past_sequence_length + sequence_length"],
    position_ids [batch_size, sequence_length],
    past_key_values.0.key, .0.value, .1.key, .1.value [batch_size, 2, past_sequence_length, 16]
    -> logits [batch_size, sequence_length, 97],
       present.0.key, .. [batch_size, 2, "past_sequence_length + sequence_length", 16]
genai (onnxruntime-genai 0.18.0 with transformers 5.24.0)
    input_ids, attention_mask [batch_size, total_sequence_length],
    past_key_values.0.key, .1.key, .0.value, .1.value [batch_size, 2, past_sequence_length, kv_cache_dim]
    -> logits, present.0.key, .. [batch_size, 2, total_sequence_length, kv_cache_dim]
transformers (transformers 5.24.0 and torch 2.15.0); torch makes up the names of sizes, and 2 and 16 are names, too
    input_ids [s10, s70], attention_mask [s43, s53], position_ids [s10, s70],
    input.cache.layers.0.keys, .0.values, .. [s10, 2, s54, 16]
    -> logits [s10, s70, 97], output.cache.layers.0.keys, .. [s10, 2, "s54 + s70", 16]
static (the same, with a StaticCache of 32 tokens), besides
    input.cache.layers.0.keys, .. [s10, 2, 32, 16], input.cache.layers.0.cumulative_length []
    -> output.cache.layers.0.keys, .. [s10, 2, 32, 16], output.cache.layers.0.cumulative_length []
torch (torch.onnx.export of torch 2.15.0): outputs are called after operators, in the order of the inputs
    transformers 4.57.6: past_key_values_key_cache_0, .._1, past_key_values_value_cache_0, .._1, each with another
        size for the past; cache_position [s58]
        -> linear_14 [s23, s58, 97], cat_17, cat_19 (keys), cat_18, cat_20 (values) [s23, 2, "s31 + s58", 16]
    transformers 5.24.0: cache_key_cache_0 and so on; no cache_position
"""

import argparse
import inspect
import os
import runpy
import sys

import decoders

MISSING = 77


def model_of(spec):
    """transformers' model with the weights of `spec`."""
    import torch
    # In a wheel without CUDA's libraries this call, which transformers makes, crashes.
    torch.cuda.is_current_stream_capturing = torch.cuda.graphs.is_current_stream_capturing = lambda: False
    import transformers
    torch.set_grad_enabled(False)
    name = {"qwen": "Qwen2", "llama": "Llama"}[spec.architecture]
    config = getattr(transformers, f"{name}Config")(
        vocab_size=spec.vocabulary, hidden_size=spec.hidden, intermediate_size=spec.inner,
        num_hidden_layers=spec.layers, num_attention_heads=spec.heads, num_key_value_heads=spec.kv_heads,
        max_position_embeddings=64, rms_norm_eps=1e-6, tie_word_embeddings=False, bos_token_id=1, eos_token_id=0,
        pad_token_id=0)
    model = getattr(transformers, f"{name}ForCausalLM")(config).eval()
    weights = {key: torch.from_numpy(values.T.copy() if "proj.weight" in key or key == "lm_head.weight" else values)
               for key, values in decoders.make_weights(spec).items()}
    model.load_state_dict(weights)
    return model


def call_with_cache(model, static=0):
    """The arguments of a call with a cache of 5 tokens and 3 new ones."""
    import torch
    import transformers
    name = "cache" if "cache" in inspect.signature(model.forward).parameters else "past_key_values"
    ids = torch.ones((2, 5), dtype=torch.int64)
    given = transformers.StaticCache(config=model.config, max_cache_len=static) if static else None
    cache = model(ids, use_cache=True, **{name: given})[1]
    return {"input_ids": ids[:, :3], "attention_mask": torch.ones((2, 8), dtype=torch.int64),
            "position_ids": torch.arange(5, 8)[None].repeat(2, 1), name: cache}


def transformers(spec, folder, static=0):
    model = model_of(spec)
    import onnx_ir
    from transformers.exporters.exporter_onnx import OnnxConfig, OnnxExporter
    exported = OnnxExporter().export(model, {**call_with_cache(model, static), "use_cache": True},
                                     config=OnnxConfig(dynamic=True))
    onnx_ir.save(exported.program, os.path.join(folder, "model.onnx"))


def static(spec, folder):
    transformers(spec, folder, spec.max_length)


def torch(spec, folder):
    model = model_of(spec)
    import torch
    from transformers.integrations.executorch import register_dynamic_cache_export_support
    register_dynamic_cache_export_support()
    call, free = call_with_cache(model), torch.export.Dim.DYNAMIC
    if "past_key_values" in call:
        call["cache_position"] = torch.arange(5, 8)
    pair = [{0: free, 2: free}] * spec.layers
    shapes = {"cache_position": {0: free}, "cache": [pair, pair], "past_key_values": [pair, pair]}
    program = torch.onnx.export(model, (), kwargs=call, dynamo=True, verbose=False, dynamic_shapes={
        name: shapes.get(name, {0: free, 1: free}) for name in call})
    program.save(os.path.join(folder, "model.onnx"))


def optimum(spec, folder):
    model = model_of(spec)
    from optimum.exporters.onnx import main_export
    model.save_pretrained(os.path.join(folder, "checkpoint"))
    main_export(os.path.join(folder, "checkpoint"), folder, task="text-generation-with-past", do_validation=False)


def genai(spec, folder):
    model = model_of(spec)
    import onnxruntime_genai
    from transformers import PreTrainedTokenizerFast
    from tokenizers import Tokenizer, models
    checkpoint = os.path.join(folder, "checkpoint")
    model.save_pretrained(checkpoint)
    words = Tokenizer(models.WordLevel({str(i): i for i in range(spec.vocabulary)}, unk_token="0"))
    PreTrainedTokenizerFast(tokenizer_object=words).save_pretrained(checkpoint)
    builder = os.path.join(os.path.dirname(onnxruntime_genai.__file__), "models")
    sys.path.insert(0, builder)
    sys.argv = ["builder.py", "-i", checkpoint, "-o", folder, "-e", "cpu", "-c", os.path.join(folder, "cache"),
                "-p", "int4" if spec.quantized == "int4" else {"f32": "fp32", "f16": "fp16"}[spec.type]]
    runpy.run_path(os.path.join(builder, "builder.py"), run_name="__main__")


EXPORTERS = {"optimum": optimum, "genai": genai, "transformers": transformers, "static": static, "torch": torch}


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("exporter", choices=EXPORTERS)
    parser.add_argument("folder")
    parser.add_argument("--architecture", choices=decoders.ARCHITECTURES, default="qwen")
    parser.add_argument("--type", choices=decoders.TYPES, default="f32")
    parser.add_argument("--quantized", choices=("", "int4"), default="")
    values = parser.parse_args(arguments)
    os.makedirs(values.folder, exist_ok=True)
    try:
        EXPORTERS[values.exporter](decoders.Spec(architecture=values.architecture, type=values.type,
                                                 quantized=values.quantized), values.folder)
    except ImportError as error:
        print(f"{values.exporter} is not here: {error}", file=sys.stderr)
        return MISSING
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
