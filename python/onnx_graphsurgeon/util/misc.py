"""Small helpers, and the lists that keep the two ends of an edge of the graph in step."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Iterable, List, Sequence, TypeVar, get_args, get_origin

from onnx_graphsurgeon import _classes
from onnx_graphsurgeon.logger.logger import G_LOGGER
from onnx_graphsurgeon.util.lazy_module import LazyModule

if TYPE_CHECKING:
    import numpy as np
else:
    np = LazyModule("numpy")

Value = TypeVar("Value")


def default_value(value: Value | None, default: Value) -> Value:
    """`value`, or `default` if it is None."""
    return value if value is not None else default


def combine_dicts(dict0: dict, dict1: dict) -> OrderedDict:
    """One dictionary of both; where both have a key, the second's value counts."""
    combined = OrderedDict(dict0)
    combined.update(dict1)
    return combined


def is_dynamic_dimension(dim: Any) -> bool:
    """Whether the size is not known: a name, None, or a negative number."""
    return not isinstance(dim, int) or dim < 0


def is_dynamic_shape(shape: Iterable) -> bool:
    """Whether any dimension is dynamic."""
    return any(is_dynamic_dimension(dim) for dim in shape)


def volume(obj: Iterable) -> Any:
    """The product of the dimensions: the number of elements."""
    product = 1
    for dim in obj:
        product *= dim
    return product


# AttributeProto.AttributeType: scalars, and the lists of each of them.
_SCALAR_KINDS = {1: "float", 2: "int", 3: "str", 4: "Tensor", 5: "Graph"}
_FIRST_LIST_KIND = 6
_OTHER_KINDS = (11, 12, 13, 14)  # sparse tensors and types, which have no class here

_GS_TYPE_TO_ONNX_ATTR_TYPE: dict[Any, int] = {}
_ONNX_ATTR_TYPE_TO_GS_TYPE: dict[int, Any] = {}


def _list_of(python_type: Any) -> Any:
    generic: Any = List
    return generic[python_type]


def _init_dicts() -> None:
    """Fills both tables at their first use, when the classes in them are defined."""
    if _GS_TYPE_TO_ONNX_ATTR_TYPE:
        return
    graphs = {"Tensor": _classes.Tensor, "Graph": _classes.Graph}
    classes = {"float": float, "int": int, "str": str, **graphs}
    pairs: list[tuple[int, Any]] = [(0, None)]
    for kind, name in _SCALAR_KINDS.items():
        pairs.append((kind, classes[name]))
        pairs.append((kind + _FIRST_LIST_KIND - 1, _list_of(classes[name])))
    pairs += [(kind, kind) for kind in _OTHER_KINDS]
    _ONNX_ATTR_TYPE_TO_GS_TYPE.update(pairs)
    _GS_TYPE_TO_ONNX_ATTR_TYPE.update((python, kind) for kind, python in pairs)


def convert_from_onnx_attr_type(onnx_attr_type: int) -> Any:
    """The Python type for an AttributeProto.AttributeType, or the number if it has no type.

    Raises KeyError for a number that ONNX does not have.
    """
    _init_dicts()
    return _ONNX_ATTR_TYPE_TO_GS_TYPE[onnx_attr_type]


def convert_to_onnx_attr_type(any_type: Any) -> int | None:
    """The AttributeProto.AttributeType for a Python type, or for a scalar type of NumPy.

    Returns None, with a warning, if it has none. Raises TypeError for arguments other than types.
    """
    _init_dicts()
    if get_origin(any_type) is list:
        any_type = _list_of(get_args(any_type))
    if any_type in _GS_TYPE_TO_ONNX_ATTR_TYPE:
        return _GS_TYPE_TO_ONNX_ATTR_TYPE[any_type]
    if np.issubdtype(any_type, np.floating):
        return _GS_TYPE_TO_ONNX_ATTR_TYPE[float]
    if np.issubdtype(any_type, np.integer):
        return _GS_TYPE_TO_ONNX_ATTR_TYPE[int]
    G_LOGGER.warning(f"Unable to convert {any_type} into an ONNX AttributeType")
    return None


class SynchronizedList(list):
    """One end of the edges between a node and its tensors.

    Whenever an element enters the list, `parent_obj` is appended to the opposite list of the
    element, and whenever one leaves, `parent_obj` is removed there once. Edges are found by
    identity: equal nodes and tensors of one name are different ends. An operation that raises
    changes neither end.
    """

    # Half of the memory of a graph of objects would be dictionaries of lists.
    __slots__ = ("parent_obj", "field_name", "__weakref__")

    parent_obj: Any
    field_name: str

    def __init__(self, parent_obj: Any, field_name: str, initial: Iterable):
        """
        Args:
            parent_obj: The node or tensor that owns the list.
            field_name: The name of the opposite list in the elements: "inputs" or "outputs".
            initial: The first elements.
        """
        self.parent_obj = parent_obj
        self.field_name = field_name
        self.extend(initial)

    def _add_to_elem(self, elem: Any) -> None:
        list.append(getattr(elem, self.field_name), self.parent_obj)

    def _remove_from_elem(self, elem: Any) -> None:
        opposite = getattr(elem, self.field_name)
        for index, owner in enumerate(opposite):
            if owner is self.parent_obj:
                list.__delitem__(opposite, index)
                return

    def _checked(self, elems: Iterable) -> list:
        """The elements as a list; raises an error for a wrong one, before any is linked."""
        elems = list(elems)
        for elem in elems:
            getattr(elem, self.field_name)
        return elems

    def _replace(self, where: Any, elems: list) -> None:
        """Puts `elems` where the slice says."""
        old = list.__getitem__(self, where)
        list.__setitem__(self, where, elems)
        for elem in old:
            self._remove_from_elem(elem)
        for elem in elems:
            self._add_to_elem(elem)

    def __delitem__(self, index: Any) -> None:
        old = list.__getitem__(self, index)
        list.__delitem__(self, index)
        for elem in old if isinstance(index, slice) else [old]:
            self._remove_from_elem(elem)

    def __setitem__(self, index: Any, elem: Any) -> None:
        if isinstance(index, slice):
            self._replace(index, self._checked(elem))
            return
        self._checked([elem])
        old = list.__getitem__(self, index)
        self._remove_from_elem(old)
        list.__setitem__(self, index, elem)
        self._add_to_elem(elem)

    def append(self, x: Any) -> None:
        opposite = getattr(x, self.field_name)
        list.append(self, x)
        list.append(opposite, self.parent_obj)

    def extend(self, iterable: Iterable) -> None:
        elems = self._checked(iterable)
        list.extend(self, elems)
        for elem in elems:
            self._add_to_elem(elem)

    def insert(self, i: Any, x: Any) -> None:
        self._checked([x])
        list.insert(self, i, x)
        self._add_to_elem(x)

    def remove(self, x: Any) -> None:
        """Removes `x` itself; raises ValueError if it is not in the list."""
        for index, elem in enumerate(self):
            if elem is x:
                del self[index]
                return
        raise ValueError("list.remove(x): x not in list")

    def pop(self, i: Any = -1) -> Any:
        elem = list.pop(self, i)
        self._remove_from_elem(elem)
        return elem

    def clear(self) -> None:
        for elem in self:
            self._remove_from_elem(elem)
        list.clear(self)

    def __add__(self, other_list: List[Any]) -> List[Any]:  # type: ignore[override]
        """A plain list of both."""
        return list(self) + list(other_list)

    def __iadd__(self, other_list: Iterable) -> SynchronizedList:  # type: ignore[override, misc]
        self.extend(other_list)
        return self

    def __imul__(self, count: Any) -> SynchronizedList:  # type: ignore[override, misc]
        elems = list(self)
        if count <= 0:
            self.clear()
        for _ in range(count - 1):
            self.extend(elems)
        return self

    def __copy__(self) -> List[Any]:
        """A plain list: a copy owns no edges."""
        return list(self)

    def __deepcopy__(self, memo: dict) -> List[Any]:
        """A plain list of copies."""
        from copy import deepcopy

        return [deepcopy(elem, memo) for elem in self]

    def __reduce_ex__(self, protocol: Any) -> tuple:
        """For pickle: a plain list."""
        return list, (list(self),)


OPPOSITE = {"inputs": "outputs", "outputs": "inputs"}


def set_state(owner: Any, state: dict) -> None:
    """Fills a node or tensor that is deeply copied or unpickled, and links a node to its tensors."""
    owner.__dict__.update(state)
    for name, opposite in OPPOSITE.items():
        owner.__dict__[name] = SynchronizedList(owner, opposite, state.get(name, ()))


def shallow_copy(owner: Any) -> Any:
    """Another object with the same attributes, the lists of edges among them."""
    copied = object.__new__(type(owner))
    copied.__dict__.update(owner.__dict__)
    return copied


def set_edges(owner: Any, name: str, elems: Sequence) -> None:
    """Implements `owner.inputs = elems` and `owner.outputs = elems`.

    The list of the owner stays the same object with new contents; its own list changes nothing,
    as after `owner.inputs += elems`.
    """
    edges = owner.__dict__.get(name)
    if edges is None:
        owner.__dict__[name] = SynchronizedList(owner, OPPOSITE[name], elems)
    elif elems is not edges:
        edges[:] = list(elems)
