"""The memory layout of tensors with vectorized formats, such as CHW16."""

from __future__ import annotations

from polygraphy import util
from polygraphy.mod._lazy_modules import np


class VectorizedLayout:
    """The layout of one tensor.

    Channels are cut into groups, which are padded with zeros, and the channels of a group are next
    to each other: the axis of channels becomes one of groups, and the axis within a group is last.
    """

    def __init__(self, context, name: str):
        self.shape = tuple(context.get_tensor_shape(name))
        self.axis = context.engine.get_tensor_vectorized_dim(name)
        self.group = context.engine.get_tensor_components_per_element(name)
        self.num_groups = -(-self.shape[self.axis] // self.group)
        # With the axis within a group beside that of the groups.
        self.split = [
            *self.shape[: self.axis],
            self.num_groups,
            self.group,
            *self.shape[self.axis + 1 :],
        ]

    def vectorized(self, array):
        """The elements in the order in which they lie in memory."""
        padding = [(0, 0)] * array.ndim
        padding[self.axis] = (0, self.num_groups * self.group - self.shape[self.axis])
        split = np.pad(array, padding).reshape(self.split)
        return np.ascontiguousarray(np.moveaxis(split, self.axis + 1, -1))

    def linear(self, array):
        """The elements in the order of `shape`, without the padding of groups.

        `array` has one axis; elements behind the tensor are ignored.
        """
        in_memory = [*self.split[: self.axis + 1], *self.split[self.axis + 2 :], self.group]
        split = np.moveaxis(array[: util.volume(in_memory)].reshape(in_memory), -1, self.axis + 1)
        whole = [*self.shape]
        whole[self.axis] = self.num_groups * self.group
        keep = [slice(None)] * len(whole)
        keep[self.axis] = slice(self.shape[self.axis])
        return np.ascontiguousarray(split.reshape(whole)[tuple(keep)])
