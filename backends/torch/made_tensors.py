"""The tensors that a model makes, in PyTorch or in ONNX, by the modules that make them; and pairs of the same tensor in
both."""
import re


class Made:
    """A tensor that a model makes. `scopes`: the paths of all modules inside which that happens; `readers`: the paths
    of each place that reads it, None for an unknown place. `dtype` is a name, `shape` has None for unknown dimensions;
    both are None if nothing is known."""

    def __init__(self, scopes, dtype=None, shape=None):
        self.scopes, self.dtype, self.shape, self.readers = scopes, dtype, shape, set()

    @classmethod
    def of(cls, tensor, scopes=frozenset()):
        """Of a tensor of PyTorch, or a stand-in for one."""
        if not hasattr(tensor, "dtype"):
            return cls(scopes)
        shape = [dim if isinstance(dim, int) else None for dim in tensor.shape]
        return cls(scopes, str(tensor.dtype).replace("torch.", ""), shape)

    def leaves(self, scope):
        """Whether it is one of the scope's results: made inside and read outside."""
        return scope in self.scopes and any(reader is None or scope not in reader for reader in self.readers)

    def kind(self):
        """(type, rank) without the precision of the type and the sizes; None if unknown."""
        if self.dtype is None or self.shape is None:
            return None
        return re.sub(r"^b?float.*", "float", re.sub(r"^u?int.*", "int", self.dtype)), len(self.shape)

    def may_be(self, other):
        """Whether nothing that is known of both contradicts that they are the same."""
        if self.kind() is None or other.kind() is None:
            return True
        return self.kind() == other.kind() and all(
            None in (here, there) or here == there for here, there in zip(self.shape, other.shape))


def results_by_scope(tensors):
    """{path: its results}, in the order in which they are made."""
    found = {}
    for tensor in tensors:
        for scope in tensor.scopes:
            if tensor.leaves(scope):
                found.setdefault(scope, []).append(tensor)
    return found


def correspondence(ours, theirs):
    """{tensor of ours: tensor of theirs}, both lists of Made of the same model. Tensors of a module match by their
    order among its results of the same kind, so their numbers must be equal on both sides; a tensor that two modules
    match differently is left out."""
    ours, theirs = results_by_scope(ours), results_by_scope(theirs)
    found, doubtful = {}, set()
    for scope, here in ours.items():
        for one, other in pairs(scope, here, theirs.get(scope, [])):
            if found.setdefault(one, other) is not other:
                doubtful.add(one)
    owners = {}
    for one, other in found.items():
        if owners.setdefault(other, one) is not one:
            doubtful.update((one, owners[other]))
    return {one: other for one, other in found.items() if one not in doubtful}


def pairs(scope, here, there):
    if any(tensor.kind() is None for tensor in there):
        groups = [(here, there)]
    else:
        groups = [([each for each in here if each.kind() == kind], [each for each in there if each.kind() == kind])
                  for kind in dict.fromkeys(each.kind() for each in here)]
    for ours, theirs in groups:
        known = all(None not in tensor.readers for tensor in theirs)
        if known and len(ours) == len(theirs) and all(one.may_be(other) for one, other in zip(ours, theirs)):
            yield from zip(ours, theirs)
