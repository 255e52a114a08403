// Descriptions as Python's values: dicts, lists and texts, of which the package makes dataclasses.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "graphsurgeon/ir/dim.h"
#include "polygraphy/data/tensors/metadata.h"
#include "python_api.h"

namespace native {

inline PyRef text(const std::string& value) {
  return to_python(std::string_view(value));
}
inline PyRef number(int64_t value) {
  return to_python(value);
}
inline PyRef boolean(bool value) {
  return PyRef::share(value ? Py_True : Py_False);
}

// "float32"; None: not known.
PyRef dtype_or_none(polygraphy::DataType type);
// A tuple of numbers, names and, for dimensions that are not known, None.
PyRef dimensions(const graphsurgeon::DimList& dims);
// A dict with `name`, `dtype`, `shape` and `format`, the text behind them.
PyRef described_tensor(const std::string& name, const polygraphy::TensorInfo& info);

// A dict of these.
PyRef fields(std::initializer_list<std::pair<const char*, PyRef>> members);

// A list of convert(each).
template <typename Items, typename Convert>
PyRef list_of(const Items& items, Convert convert) {
  PyRef list = PyRef::take(PyList_New(0));
  for (const auto& each : items) check(PyList_Append(list.get(), convert(each).get()));
  return list;
}
// The same of pairs of names and tensors.
template <typename Tensors>
PyRef described_tensors(const Tensors& tensors) {
  PyRef list = PyRef::take(PyList_New(0));
  for (const auto& [name, info] : tensors)
    check(PyList_Append(list.get(), described_tensor(name, info).get()));
  return list;
}

}  // namespace native
