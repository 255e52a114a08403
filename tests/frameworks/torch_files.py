"""torch_files.py FOLDER: writes FOLDER/NAME.pt by torch.save(), and the same tensors as FOLDER/NAME.npz."""
import collections
import os
import sys

import ml_dtypes
import numpy as np
import torch

TYPES = ("float64 float32 float16 bfloat16 float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz float8_e8m0fnu"
         " int64 int32 int16 int8 uint64 uint32 uint16 uint8 bool complex64 complex128").split()


def array_of(tensor):
    """Types that NumPy lacks as their codes, by which the test compares them."""
    tensor = tensor.detach().contiguous()
    name = str(tensor.dtype).removeprefix("torch.")
    if hasattr(ml_dtypes, name):
        codes = torch.int16 if tensor.element_size() == 2 else torch.uint8
        return tensor.view(codes).numpy().view(getattr(ml_dtypes, name)).astype(np.float32)
    return tensor.numpy()


def all_types():
    values = torch.tensor([[0., 1, 2], [3, 8, 16]])
    return {name: values.to(getattr(torch, name)) for name in TYPES}


def strides():
    torch.manual_seed(0)
    x = torch.randn(4, 5, 6)
    return {"x": x, "transposed": x.transpose(0, 2), "sliced": x[1:3, ::2, 4], "row": x[3], "expanded": x[:1].expand(7, 5, 6),
            "windows": x.flatten().unfold(0, 8, 2), "scalar": x[1, 2, 3], "none": x[:, :0], "diagonal": x[:, :4].diagonal(),
            "channels": torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last), "flat": x.view(-1)[5:]}


def nested():
    x = torch.arange(6)
    return {"layers.0": x, "layers.1.a": x + 1, "hidden[0]": x + 2, "hidden[1]": x + 3, "weight": x / 2}


def nested_as_saved():
    flat = nested()
    return collections.OrderedDict(layers={0: flat["layers.0"], "1": {"a": flat["layers.1.a"]}}, step=7, note=["text", None],
                                   hidden=(flat["hidden[0]"], flat["hidden[1]"]), weight=torch.nn.Parameter(flat["weight"]))


def save(folder, name, tensors, saved=None, **options):
    torch.save(tensors if saved is None else saved, os.path.join(folder, name + ".pt"), **options)
    np.savez(os.path.join(folder, name + ".npz"), **{key: array_of(tensor) for key, tensor in tensors.items()})


def main(folder):
    save(folder, "types", all_types())
    save(folder, "strides", strides())
    for protocol in range(2, 6):
        save(folder, f"nested{protocol}", nested(), nested_as_saved(), pickle_protocol=protocol)
    layer = torch.nn.Linear(3, 2)
    save(folder, "state", dict(layer.state_dict()), layer.state_dict())
    save(folder, "lone", {"lone": torch.arange(4.)}, torch.arange(4.))
    torch.save(layer, os.path.join(folder, "module.pt"))
    torch.save({"n": np.float32(1)}, os.path.join(folder, "number.pt"))
    torch.save({"q": torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8)}, os.path.join(folder, "quantized.pt"))
    torch.save({"h": torch.ones(2, dtype=torch.complex32)}, os.path.join(folder, "half_complex.pt"))
    torch.save(torch.ones(2), os.path.join(folder, "old.pt"), _use_new_zipfile_serialization=False)
    torch.jit.script(layer).save(os.path.join(folder, "script.pt"))
    torch.save({"x": [torch.zeros(1).expand(1 << 29)]}, os.path.join(folder, "repeated.pt"))


if __name__ == "__main__":
    main(sys.argv[1])
