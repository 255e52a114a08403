#include "polygraphy/backend/values.h"

#include <fmt/format.h>

#include <cstring>

#include "base/error.h"

namespace polygraphy {
namespace {

constexpr int32_t kMaxRank = 1024;

pgb_value empty_value(pgb_value_kind kind) {
  pgb_value value{};
  value.struct_size = sizeof(value);
  value.kind = kind;
  return value;
}

Array strings_of(const std::string& name, const pgb_value& value, Shape shape) {
  const auto count = static_cast<size_t>(element_count(shape));
  std::vector<std::string> texts;
  texts.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const uint64_t begin = value.offsets[i], end = value.offsets[i + 1];
    if (begin > end || end > value.bytes) {
      throw Error(
          fmt::format("output '{}': the engine's string {} ends outside of its text", name, i));
    }
    texts.emplace_back(static_cast<const char*>(value.data) + begin, end - begin);
  }
  return Array::from_strings(std::move(shape), std::move(texts));
}

}  // namespace

pgb_value FeedValues::view(const Array& array) {
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

const pgb_value& FeedValues::tensor(const Array& array) {
  return values_.emplace_back(view(array));
}

const pgb_value& FeedValues::sequence(const std::vector<Array>& items) {
  std::vector<pgb_value>& views = items_.emplace_back();
  for (const Array& item : items) views.push_back(view(item));
  pgb_value value = empty_value(PGB_SEQUENCE);
  value.items = views.data();
  value.item_count = views.size();
  return values_.emplace_back(value);
}

Array to_array(const std::string& name, const pgb_value& value) {
  const auto type = static_cast<DataType>(value.dtype);
  if (!is_known(type)) {
    throw Error(fmt::format("output '{}' has data type {}, which this version does not know", name,
                            value.dtype));
  }
  if (value.rank < 0 || value.rank > kMaxRank) {
    throw Error(fmt::format("output '{}': the engine gives it {} dimensions", name, value.rank));
  }
  Shape shape(value.shape, value.shape + value.rank);
  if (value.kind == PGB_STRINGS) return strings_of(name, value, std::move(shape));

  const auto needed = static_cast<size_t>(storage_bytes(type, element_count(shape)));
  if (value.bytes != 0 && value.bytes < needed) {
    throw Error(
        fmt::format("output '{}': the engine delivers {} bytes, but type {} and shape need {}",
                    name, value.bytes, name_of(type), needed));
  }
  if (value.owner && needed >= kShareFrom) {
    value.retain(value.owner);
    return Array::view(
        type, std::move(shape), value.data,
        std::shared_ptr<const void>(value.owner, [release = value.release](const void* owner) {
          release(const_cast<void*>(owner));
        }));
  }
  Array copy = Array::uninitialized(type, std::move(shape));
  if (needed) std::memcpy(copy.mutable_data(), value.data, needed);
  return copy;
}

void add_output(TensorMap& outputs, const std::string& name, const pgb_value& value) {
  switch (value.kind) {
    case PGB_TENSOR:
    case PGB_STRINGS:
      if (outputs.contains(name)) {
        throw Error(fmt::format("the model has two outputs that would be called '{}'", name));
      }
      outputs.set(name, to_array(name, value));
      return;
    case PGB_SEQUENCE:
      for (size_t i = 0; i < value.item_count; ++i) {
        add_output(outputs, fmt::format("{}[{}]", name, i), value.items[i]);
      }
      return;
    case PGB_MAP:
      if (value.item_count == 2) {
        add_output(outputs, name + ".keys", value.items[0]);
        add_output(outputs, name + ".values", value.items[1]);
        return;
      }
      break;
    case PGB_OPTIONAL:
      if (value.item_count > 0) add_output(outputs, name, value.items[0]);
      return;
    default:
      break;
  }
  throw Error(
      fmt::format("output '{}': the engine delivers a value of unknown kind {}", name, value.kind));
}

}  // namespace polygraphy
