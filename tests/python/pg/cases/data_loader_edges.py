"""Inputs whose metadata says little, or much."""

import numpy as np
from polygraphy.common import TensorMetadata
from polygraphy.comparator import DataLoader
from polygraphy.logger import G_LOGGER

G_LOGGER.module_severity = G_LOGGER.VERBOSE

# The user's shape and type, the model's. Without the latter, the user's stand for them.
CASES = [
    ((1,), np.int32, (1,), np.int32),
    ((1,), np.int32, None, None),
    ((2,), None, (2,), None),
    ((2, 7), None, (2,), None),
    (None, None, (2,), None),
    ((2,), np.int64, None, None),
    ((2,), None, None, None),
    (("N",), np.int64, None, None),
    (("N", 2), np.float32, None, None),
]
for index, (user_shape, user_dtype, shape, dtype) in enumerate(CASES):
    name = f"x{index}"
    user = TensorMetadata()
    if user_shape is not None:
        user.add(name, user_dtype, user_shape)
    loader = DataLoader(input_metadata=user, val_range={name: (50, 90)})
    if shape is not None:
        loader.input_metadata = TensorMetadata().add(name, dtype, shape)
    print({name: (array.dtype, array.shape, array.tolist()) for name, array in loader[0].items()})

loader = DataLoader(val_range={"unknown": (0, 1)})
loader.input_metadata = TensorMetadata().add("x", np.float32, (1,))
print(loader[0])
