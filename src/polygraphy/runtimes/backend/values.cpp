#include "polygraphy/runtimes/backend/values.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "base/error.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/runtimes/backend/shared_heap.h"

namespace polygraphy {
namespace {

pgb_value empty_value(pgb_value_kind kind) {
  pgb_value value{};
  value.struct_size = sizeof(value);
  value.kind = kind;
  return value;
}

bool is_array(const pgb_value& value) {
  return value.kind == PGB_TENSOR || value.kind == PGB_STRINGS;
}

Error without_values(const std::string& name) {
  return Error(fmt::format("output '{}': the runtime returned no values", name));
}

Array strings_of(const std::string& name, const pgb_value& value, Shape shape) {
  const auto count = static_cast<size_t>(element_count(shape));
  if ((!value.offsets && count > 0) || (!value.data && value.bytes > 0)) throw without_values(name);
  std::vector<std::string> texts;
  texts.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const uint64_t begin = value.offsets[i], end = value.offsets[i + 1];
    if (begin > end || end > value.bytes) {
      throw Error(fmt::format("output '{}': the runtime's string {} exceeds its text", name, i));
    }
    texts.emplace_back(static_cast<const char*>(value.data) + begin, end - begin);
  }
  return Array::from_strings(std::move(shape), std::move(texts));
}

}  // namespace

pgb_value FeedValues::view_array(const Array& array) {
  const bool strings = array.dtype() == DataType::kString;
  pgb_value value = empty_value(strings ? PGB_STRINGS : PGB_TENSOR);
  value.dtype = static_cast<int32_t>(array.dtype());
  if (strings) {
    const Array& kept = kept_.emplace_back(array);
    std::vector<uint64_t>& offsets = offsets_.emplace_back();
    std::string& text = texts_.emplace_back();
    offsets.push_back(0);
    for (const std::string& element : kept.strings()) {
      text += element;
      offsets.push_back(text.size());
    }
    value.data = text.data();
    value.bytes = text.size();
    value.offsets = offsets.data();
    value.rank = static_cast<int32_t>(kept.rank());
    value.shape = kept.shape().data();
    return value;
  }
  const Array& kept = kept_.emplace_back(array.contiguous_aligned());
  value.data = kept.data();
  value.bytes = static_cast<size_t>(kept.nbytes());
  value.rank = static_cast<int32_t>(kept.rank());
  value.shape = kept.shape().data();
  return value;
}

pgb_value FeedValues::view_items(pgb_value_kind kind, std::vector<pgb_value> items) {
  const std::vector<pgb_value>& kept = items_.emplace_back(std::move(items));
  pgb_value value = empty_value(kind);
  value.items = kept.data();
  value.item_count = kept.size();
  return value;
}

pgb_value FeedValues::view(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kTensor:
      return view_array(*value.as_tensor());
    case Value::Kind::kMap:
      return view_items(PGB_MAP,
                        {view_array(value.as_map()->keys), view_array(value.as_map()->values)});
    case Value::Kind::kSequence: {
      std::vector<pgb_value> items;
      for (const Value& item : *value.as_sequence()) items.push_back(view(item));
      return view_items(PGB_SEQUENCE, std::move(items));
    }
    case Value::Kind::kAbsent:
      break;
  }
  return empty_value(PGB_OPTIONAL);
}

Array to_array(const std::string& name, const pgb_value& value, SharedHeap* heap) {
  const auto type = static_cast<DataType>(value.dtype);
  if (!is_known(type)) {
    throw Error(fmt::format("output '{}' has data type {}, which this version does not support",
                            name, value.dtype));
  }
  if (value.rank < 0 || value.rank > kMaxRank || (value.rank > 0 && !value.shape)) {
    throw Error(fmt::format("output '{}': the runtime returned {} dimensions{}", name, value.rank,
                            value.shape ? "" : ", but no shape"));
  }
  Shape shape(value.shape, value.shape + value.rank);
  if (value.kind == PGB_STRINGS) return strings_of(name, value, std::move(shape));
  if (type == DataType::kString)
    throw Error(
        fmt::format("output '{}': the runtime returned strings as a tensor of bytes", name));

  const auto needed = static_cast<size_t>(storage_bytes(type, element_count(shape)));
  if (value.bytes != 0 && value.bytes < needed) {
    throw Error(
        fmt::format("output '{}': the runtime returned {} bytes, but type {} and shape need {}",
                    name, value.bytes, name_of(type), needed));
  }
  if (needed > 0 && !value.data) throw without_values(name);
  if (value.owner && value.retain && value.release && needed >= kShareFrom) {
    value.retain(value.owner);
    return Array::view(
        type, std::move(shape), value.data,
        std::shared_ptr<const void>(value.owner, [release = value.release](const void* owner) {
          release(const_cast<void*>(owner));
        }));
  }
  if (heap && needed >= kShareFrom) {
    std::byte* block = heap->allocate(needed);
    std::memcpy(block, value.data, needed);
    return Array::view(type, std::move(shape), block,
                       {block, [heap](const std::byte* unused) { heap->free(unused); }});
  }
  Array copy = Array::uninitialized(type, std::move(shape));
  if (needed) std::memcpy(copy.mutable_data(), value.data, needed);
  return copy;
}

namespace {

Value value_of(const std::string& name, const pgb_value& value, SharedHeap* heap, int depth) {
  constexpr int kDeepest = 16;  // ONNX has no values that are nested deeper than a few
  if (depth > kDeepest || (value.item_count > 0 && !value.items && !is_array(value))) {
    throw Error(fmt::format("output '{}': the runtime returned {}", name,
                            depth > kDeepest ? "endlessly nested values" : "no items"));
  }
  switch (value.kind) {
    case PGB_TENSOR:
    case PGB_STRINGS:
      return to_array(name, value, heap);
    case PGB_SEQUENCE: {
      Value::Sequence items;
      for (size_t i = 0; i < value.item_count; ++i) {
        items.push_back(value_of(item_name(name, i), value.items[i], heap, depth + 1));
      }
      return items;
    }
    case PGB_MAP:
      if (value.item_count != 2 || !is_array(value.items[0]) || !is_array(value.items[1])) break;
      return Value::Map{to_array(name, value.items[0], heap), to_array(name, value.items[1], heap)};
    case PGB_OPTIONAL:
      return value.item_count > 0 ? value_of(name, value.items[0], heap, depth + 1) : Value();
    default:
      break;
  }
  throw Error(fmt::format("output '{}': the runtime returned a value of unknown kind {}", name,
                          value.kind));
}

}  // namespace

Value to_value(const std::string& name, const pgb_value& value, SharedHeap* heap) {
  return value_of(name, value, heap, 0);
}

}  // namespace polygraphy
