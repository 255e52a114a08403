"""Makes linear.pte: `make_linear_pte.py FILE`, in a Python with executorch and all that it needs to export."""
import sys

import torch
from executorch.exir import to_edge

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU()).eval()
program = to_edge(torch.export.export(model, (torch.ones(2, 3),))).to_executorch()
with open(sys.argv[1], "wb") as file:
    file.write(program.buffer)
