// Names, types and shapes of tensors without their values: the original's TensorMetadata.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arrays/array.h"
#include "base/ordered_map.h"
#include "graphsurgeon/ir/dim.h"

namespace polygraphy {

using graphsurgeon::Dim;
using graphsurgeon::DimList;

// ONNX's kinds of types.
enum class ValueKind : uint8_t { kTensor, kSequence, kMap, kOptional };

// Type and shape of an input or output; for a sequence, of each item.
struct TensorInfo {
  DataType dtype = DataType::kUndefined;  // kUndefined: not known
  std::optional<DimList> shape = {};      // nullopt: not known
  std::string docstring = {};             // printed inside the brackets; usually empty
  // The shape of each item of a sequence, or of an optional that may hold a sequence. Such a value
  // has no `shape`, and its dtype is that of the items. nullopt: not known.
  std::optional<DimList> item_shape = {};
  ValueKind kind = ValueKind::kTensor;
};
using Metadata = OrderedMap<TensorInfo>;

TensorInfo info_of(const Array& array);
Metadata metadata_of(const OrderedMap<Array>& tensors);

// Text forms: `x [dtype=float32, shape=(1, 'N', -1)]`, `{x […],\n y […]}`.
std::string shape_text(const DimList& shape);       // a tuple: ('N', 3)
std::string shape_list_text(const DimList& shape);  // a list: ['N', 3]
// Python's text of a shape of a TensorMetadata in some warnings: BoundedShape(['N', 3], min=None,
// max=None).
std::string bounded_shape_text(const DimList& shape);
std::string brackets_text(
    const TensorInfo& info);  // [dtype=…, shape=…], empty when nothing is known
std::string to_text(std::string_view name, const TensorInfo& info);
std::string to_text(const Metadata& metadata);

// One `name:[dims]`, `name:[dims]:dtype`, `name:dtype` argument. Options differ in which
// parts they take. Throws Error with the offending text.
struct MetaParts {
  bool shape = true;
  bool dtype = false;
};
Metadata parse_metadata(const std::vector<std::string>& tokens, MetaParts parts);

// Every dimension known.
bool is_static(const DimList& shape);
// Same rank, and equal wherever `original` is static.
bool is_valid_override(const Shape& shape, const DimList& original);

}  // namespace polygraphy
