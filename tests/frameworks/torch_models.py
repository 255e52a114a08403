"""Makes the models that test_torch.py runs: `torch_models.py FOLDER`, in a Python that has torch and onnxscript."""
import os
import sys

import torch


class Block(torch.nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = torch.nn.Conv2d(channels, channels, 3, padding=1)
        self.norm = torch.nn.BatchNorm2d(channels)

    def forward(self, x):
        return torch.relu(self.norm(self.conv(x)) + x)


class Net(torch.nn.Module):
    """Two results, and an input of integers."""

    def __init__(self):
        super().__init__()
        self.stem = torch.nn.Conv2d(3, 4, 3)
        self.blocks = torch.nn.Sequential(Block(4), Block(4))
        self.embedding = torch.nn.Embedding(10, 4)
        self.head = torch.nn.Linear(4, 5)

    def forward(self, image, label):
        x = self.blocks(torch.relu(self.stem(image))).mean((2, 3))
        return self.head(x + self.embedding(label)), x.sum(1)


def make():
    torch.manual_seed(0)
    return Net().eval()


def example():
    return torch.zeros(2, 3, 8, 8), torch.zeros(2, dtype=torch.int64)


def load_model():
    return make(), example()


def without_examples():
    return make()


def no_module():
    return 7


def fails():
    raise ValueError("weights are not here")


def half():
    """Computes in bfloat16 and float16 inside."""
    class Half(torch.nn.Module):
        def forward(self, x):
            return {"brain": x.to(torch.bfloat16) * 2, "half": x.to(torch.float16) + 1, "flags": x > 0}
    return Half(), (torch.zeros(3),)


def crashes():
    class Crash(torch.nn.Module):
        def forward(self, x):
            os.abort()
    return Crash(), (torch.zeros(1),)


def endless():
    class Endless(torch.nn.Module):
        def forward(self, x):
            while True:
                pass
    return Endless(), (torch.zeros(1),)


def main(folder):
    model, inputs = make(), example()
    batch = torch.export.Dim("batch", min=1, max=64)
    program = torch.export.export(model, inputs, dynamic_shapes=({0: batch}, {0: batch}))
    torch.export.save(program, os.path.join(folder, "net.pt2"))
    torch.jit.trace(model, inputs).save(os.path.join(folder, "net.pt"))
    torch.save(model.state_dict(), os.path.join(folder, "weights.pt"))
    torch.onnx.export(program, dynamo=True, verbose=False).save(os.path.join(folder, "net.onnx"))


if __name__ == "__main__":
    main(sys.argv[1])
