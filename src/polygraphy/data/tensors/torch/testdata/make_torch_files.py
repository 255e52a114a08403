"""make_torch_files.py ROOT: writes fuzz/corpus/torch_file and fuzz/corpus/pickle with the real PyTorch."""

import collections
import os
import sys
import warnings
import zipfile

import torch


def main(root):
    warnings.simplefilter("ignore")
    folder, pickles = (os.path.join(root, "fuzz", "corpus", name) for name in ("torch_file", "pickle"))
    os.makedirs(folder, exist_ok=True)
    os.makedirs(pickles, exist_ok=True)
    x = torch.arange(6, dtype=torch.float32).reshape(2, 3)
    noted = torch.arange(2)
    noted.layer = 7
    parameters = collections.OrderedDict(weight=torch.nn.Parameter(x), noted=noted)
    parameters._metadata = {"version": 1}
    values = {
        "lone": x,
        "views": {"whole": x, "list": [x.t(), (x[1:], {"every": x[0, ::2]})], "again": x[:1, :1].expand(2, 4),
                  "none": x[:, :0]},
        "types": {"bf16": torch.tensor([1, -2], dtype=torch.bfloat16), 8: torch.ones(2).to(torch.float8_e4m3fn),
                  "u16": torch.tensor([65535, 1], dtype=torch.uint16), "yes": torch.tensor([True, False]),
                  "c64": torch.tensor([1 + 2j])},
        "constants": {"x": x[0], "step": 3, "large": 1 << 70, "negative": -(1 << 40), "rate": 1e-3, "no": None,
                      "size": x.shape, "device": torch.device("cpu"), "type": torch.float16, "texts": ["a", True]},
        "list": [x, x[0]],
        "empty": {"step": 3},
        "module": {"x": x, "module": torch.nn.ReLU()},
        "sparse": x.to_sparse(),
        "conjugate": torch.ones(2, dtype=torch.complex64).conj(),
        "storage": [x.untyped_storage()],
        "repeated": torch.zeros(1).expand(1 << 20, 1 << 20),
        "same": {1: x, "1": x},
    }
    for name, value in values.items():
        torch.save(value, os.path.join(folder, name + ".pt"))
    torch.save(parameters, os.path.join(folder, "parameters.pt"), pickle_protocol=5)
    torch.save(x, os.path.join(folder, "old.pt"), _use_new_zipfile_serialization=False)
    torch.jit.save(torch.jit.script(torch.nn.ReLU()), os.path.join(folder, "program.pt"))
    for name in ("constants", "module", "parameters", "views"):
        with zipfile.ZipFile(os.path.join(folder, name + ".pt")) as archive:
            data = archive.read(name + "/data.pkl")
        with open(os.path.join(pickles, name + ".pkl"), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main(sys.argv[1])
