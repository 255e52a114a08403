#include "polygraphy/data/tensors/value.h"

#include <algorithm>
#include <string>

#include "base/error.h"

namespace polygraphy {

const Array& Value::tensor() const {
  if (const Array* array = as_tensor()) return *array;
  throw Error(std::string("The value is not a tensor, but: ") + name_of(kind()));
}

const char* name_of(Value::Kind kind) {
  constexpr const char* kNames[] = {"absent", "tensor", "sequence", "map"};
  return kNames[static_cast<size_t>(kind)];
}

bool bitwise_equal(const Value& a, const Value& b) {
  if (const Array* array = a.as_tensor()) {
    return b.as_tensor() && bitwise_equal(*array, *b.as_tensor());
  }
  if (const Value::Map* map = a.as_map()) {
    return b.as_map() && bitwise_equal(map->keys, b.as_map()->keys) &&
           bitwise_equal(map->values, b.as_map()->values);
  }
  if (const Value::Sequence* items = a.as_sequence()) {
    const Value::Sequence* others = b.as_sequence();
    return others && std::equal(items->begin(), items->end(), others->begin(), others->end(),
                                [](const Value& x, const Value& y) { return bitwise_equal(x, y); });
  }
  return b.is_absent();
}

ArrayMap tensors_of(const ValueMap& values) {
  ArrayMap tensors;
  for (const auto& [name, value] : values) {
    if (const Array* tensor = value.as_tensor()) tensors.set(name, *tensor);
  }
  return tensors;
}

ValueMap values_of(const ArrayMap& tensors) {
  ValueMap values;
  for (const auto& [name, tensor] : tensors) values.set(name, tensor);
  return values;
}

}  // namespace polygraphy
