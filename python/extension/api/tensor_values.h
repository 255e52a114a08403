// Descriptions as Python's values: dicts, lists and texts, of which the package makes dataclasses.
#pragma once

#include <string>

#include "graphsurgeon/ir/dim.h"
#include "polygraphy/data/tensors/metadata.h"
#include "python_values.h"

namespace native {

inline PyRef text(const std::string& value) {
  return to_python(value);
}
inline PyRef number(int64_t value) {
  return to_python(value);
}
inline PyRef boolean(bool value) {
  return to_python(value);
}

// "float32"; None: not known.
PyRef dtype_or_none(polygraphy::DataType type);
// A tuple of numbers, names and, for dimensions that are not known, None.
PyRef dimensions(const graphsurgeon::DimList& dims);
// A dict with `name`, `dtype`, `shape` and `format`, the text behind them.
PyRef described_tensor(const std::string& name, const polygraphy::TensorInfo& info);

// A list of these, of pairs of names and tensors.
template <typename Tensors>
PyRef described_tensors(const Tensors& tensors) {
  return list_of(tensors,
                 [](const auto& each) { return described_tensor(each.first, each.second); });
}

}  // namespace native
