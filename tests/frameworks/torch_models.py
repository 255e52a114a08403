"""Makes the models that test_torch.py runs: `torch_models.py FOLDER`, in a Python that has torch and onnxscript."""
import os
import sys
import time

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


class Twice(torch.nn.Module):
    """Returns one tensor in two places."""

    def forward(self, x):
        y = torch.relu(x)
        return y, {"again": y, "more": y + 1}


class Inplace(torch.nn.Module):
    """The exporter makes other nodes of operators that write to their input, and other names."""

    def forward(self, x):
        y = x.clone()
        y.add_(1)
        z = y * x
        z.add_(x)
        return z.relu_() + y


class Nested(torch.nn.Module):
    """Containers return what their last child does."""

    def __init__(self):
        super().__init__()
        linear = torch.nn.Linear
        self.body = torch.nn.Sequential(torch.nn.Sequential(linear(4, 4), torch.nn.ReLU()), torch.nn.Identity())
        self.head = linear(4, 2)

    def forward(self, x):
        return self.head(self.body(x))


class Shared(torch.nn.Module):
    """Calls a module twice, and another one on its own result."""

    def __init__(self):
        super().__init__()
        self.fc, self.again, self.out = (torch.nn.Linear(4, size) for size in (4, 4, 2))

    def forward(self, x):
        x = torch.tanh(self.fc(torch.tanh(self.fc(x))))
        return self.out(torch.tanh(self.again(self.again(x))))


class Keeps(torch.nn.Module):
    """Parts that leave more than they return: the last node of the first two is not their result, and a result of the
    third is unused."""

    class Part(torch.nn.Module):
        def __init__(self, returned):
            super().__init__()
            self.a, self.returned = torch.nn.Linear(4, 4), returned

        def forward(self, x):
            a = self.a(x)
            h = torch.relu(a) if self.returned == "relu" else a
            self.kept = torch.sigmoid(h)
            return h

    def __init__(self):
        super().__init__()
        self.child, self.relu, self.unread = self.Part("child"), self.Part("relu"), self.Part("relu")

    def forward(self, x):
        y = self.relu(self.child(x)) * self.child.kept * self.relu.kept
        self.unread(y)
        return y + self.unread.kept


class Mixed(torch.nn.Module):
    """Operators that write to their argument, that the exporter fuses, and that only look at their argument; several
    results, some of them unused."""

    def __init__(self):
        super().__init__()
        self.conv, self.norm = torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(4)
        self.norm.running_mean.uniform_()
        self.relu, self.flat = torch.nn.ReLU(inplace=True), torch.nn.Flatten(2)
        self.lstm = torch.nn.LSTM(36, 8, batch_first=True)
        self.layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        self.drop = torch.nn.Dropout()

    def forward(self, image):
        y, (state, _) = self.lstm(self.flat(self.relu(self.norm(self.conv(image)))))
        y[:, 0] = 1
        return self.drop(self.layer(y)), state


def by_modules():
    """Models whose modules are found in what they are exported to."""
    torch.manual_seed(0)
    row = torch.ones(2, 4),
    return {"nested": (Nested().eval(), row), "shared": (Shared().eval(), row), "keeps": (Keeps().eval(), row),
            "mixed": (Mixed().eval(), (torch.ones(2, 3, 8, 8),))}


def nested():
    return by_modules()["nested"]


def shared():
    return by_modules()["shared"]


def keeps():
    return by_modules()["keeps"]


def mixed():
    return by_modules()["mixed"]


def any_number():
    class Sum(torch.nn.Module):
        def forward(self, *xs, scale=1):
            return sum(xs) * scale
    return Sum(), (torch.zeros(3), torch.zeros(3), torch.zeros(3))


def with_constants():
    class Scale(torch.nn.Module):
        def forward(self, x, factor, name):
            return x * factor if name == "scale" else x
    return Scale(), (torch.zeros(3), 4, "scale")


def list_input():
    return any_number()[0], ([torch.zeros(3)],)


def same_names():
    class Twins(torch.nn.Module):
        def forward(self, x):
            return {"a": {"b": x}, "a.b": x + 1}
    return Twins(), (torch.zeros(3),)


def returns_nothing():
    class Nothing(torch.nn.Module):
        def forward(self, x):
            return {}
    return Nothing(), (torch.zeros(3),)


def uncalled():
    class Half(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.used, self.unused = torch.nn.Linear(3, 3), torch.nn.Linear(3, 3)

        def forward(self, x):
            return self.used(x)
    return Half(), (torch.zeros(3),)


def forks():
    class Fork(torch.nn.Module):
        def forward(self, x):
            if os.fork() == 0:
                time.sleep(1000)
            return x + 1
    return Fork(), (torch.zeros(1),)


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
    torch.export.save(torch.export.export(Twice(), (torch.ones(2, 3),)), os.path.join(folder, "twice.pt2"))
    inplace = torch.export.export(Inplace(), (torch.ones(2, 3),))
    torch.export.save(inplace, os.path.join(folder, "inplace.pt2"))
    torch.onnx.export(inplace, dynamo=True, verbose=False).save(os.path.join(folder, "inplace.onnx"))
    for name, (model, inputs) in by_modules().items():
        torch.onnx.export(model, inputs, dynamo=True, verbose=False).save(os.path.join(folder, name + ".onnx"))


if __name__ == "__main__":
    main(sys.argv[1])
