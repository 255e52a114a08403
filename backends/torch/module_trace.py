"""Traces the tensors that a model makes while it runs, and the modules around each."""
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from polygraphy_made_tensors import Made


class Trace(TorchDispatchMode):
    """Watches a module run. A tensor is where it lies, and how often that was written to: other objects may look at
    the same, and operators may write to their arguments."""

    def __init__(self, paths, returned):
        """`paths`: {path: module}; returned(path, result) is called after each call of one."""
        super().__init__()
        self.paths, self.returned = paths, returned
        self.stack, self.hooks, self.watches = [], [], True
        self.made = []
        self.by_place, self.writes, self.writer = {}, {}, {}

    def __enter__(self):
        for path, module in self.paths.items():
            self.hooks.append(module.register_forward_pre_hook(self.entering(path)))
            self.hooks.append(module.register_forward_hook(self.leaving))
        return super().__enter__()

    def __exit__(self, *error):
        for hook in self.hooks:
            hook.remove()
        return super().__exit__(*error)

    def entering(self, path):
        def enter(module, args):
            self.stack.append(path)
        return enter

    def leaving(self, module, args, result):
        path = self.stack.pop()
        self.watches = False
        try:
            self.returned(path, result)
        finally:
            self.watches = True

    def scopes(self):
        return frozenset(self.stack)

    @staticmethod
    def storage_of(tensor):
        try:
            return tensor.untyped_storage().data_ptr()  # 0 without storage
        except (NotImplementedError, RuntimeError):  # sparse, or of a custom kind
            return 0

    def place(self, tensor):
        storage = self.storage_of(tensor)
        if not storage:
            return None
        return (storage, self.writes.get(storage, 0), tensor.storage_offset(), tuple(tensor.shape),
                tuple(tensor.stride()), tensor.dtype)

    def find(self, tensor):
        """The Made of a tensor; None of the module's inputs, and of weights."""
        place = self.place(tensor)
        if place is None:
            return None
        if place not in self.by_place and place[0] in self.writer:  # written to through another view of it
            self.add(place, tensor, self.writer[place[0]])
        return self.by_place.get(place)

    def add(self, place, tensor, scopes):
        self.by_place[place] = Made.of(tensor, scopes)
        self.made.append(self.by_place[place])

    def read(self, values, scopes):
        for value in tree_leaves(values):
            made = self.find(value) if isinstance(value, torch.Tensor) else None
            if made is not None:
                made.readers.add(scopes)

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if not self.watches:
            return function(*args, **kwargs)
        scopes = self.scopes()
        self.read((args, kwargs), scopes)
        seen = {self.place(value) for value in tree_leaves((args, kwargs)) if isinstance(value, torch.Tensor)}
        result = function(*args, **kwargs)
        for value in self.written(function, args, kwargs):
            self.write(value, scopes)
        makes_views = any(each.alias_info is not None for each in function._schema.returns)
        for value in tree_leaves(result):
            if not isinstance(value, torch.Tensor):
                continue
            if not makes_views:
                self.write(value, scopes)
            place = self.place(value)
            if place is not None and place not in seen and place not in self.by_place:
                self.add(place, value, scopes)
        return result

    @staticmethod
    def written(function, args, kwargs):
        for i, argument in enumerate(function._schema.arguments):
            if argument.alias_info is not None and argument.alias_info.is_write:
                value = args[i] if i < len(args) else kwargs.get(argument.name)
                yield from (each for each in tree_leaves(value) if isinstance(each, torch.Tensor))

    def write(self, tensor, scopes):
        """Notes that an operator has overwritten the tensor's memory."""
        storage = self.storage_of(tensor)
        if storage:
            self.writes[storage] = self.writes.get(storage, 0) + 1
            self.writer[storage] = scopes
