// A named input or output of a model: a tensor, a sequence, a map, or absent.
#pragma once

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "base/arrays/array_map.h"
#include "base/ordered_map.h"

namespace polygraphy {

// One input or output of an inference. An optional that holds a value is that value; an empty one
// is absent. Copies share the memory of the arrays.
class Value {
 public:
  using Sequence = std::vector<Value>;
  struct Map {
    Array keys, values;  // one dimension each, of the same length
  };

  Value() = default;  // absent
  Value(Array tensor) : data_(std::move(tensor)) {}
  Value(Sequence items) : data_(std::move(items)) {}
  Value(Map map) : data_(std::move(map)) {}

  enum class Kind : uint8_t { kAbsent, kTensor, kSequence, kMap };
  Kind kind() const { return static_cast<Kind>(data_.index()); }
  bool is_absent() const { return kind() == Kind::kAbsent; }
  // Null for a value of another kind.
  const Array* as_tensor() const { return std::get_if<Array>(&data_); }
  const Sequence* as_sequence() const { return std::get_if<Sequence>(&data_); }
  const Map* as_map() const { return std::get_if<Map>(&data_); }
  Sequence* as_sequence() { return std::get_if<Sequence>(&data_); }
  // Throws Error for a value of another kind.
  const Array& tensor() const;

  // Calls visit(Array&) for each array in the value, in order; the keys of a map before its values.
  template <typename Visit>
  void for_each_array(Visit&& visit) {
    if (auto* array = std::get_if<Array>(&data_)) {
      visit(*array);
    } else if (auto* map = std::get_if<Map>(&data_)) {
      visit(map->keys);
      visit(map->values);
    } else if (auto* items = std::get_if<Sequence>(&data_)) {
      for (Value& item : *items) item.for_each_array(visit);
    }
  }
  template <typename Visit>
  void for_each_array(Visit&& visit) const {
    const_cast<Value*>(this)->for_each_array([&](const Array& array) { visit(array); });
  }

 private:
  std::variant<std::monostate, Array, Sequence, Map> data_;  // in the order of Kind
};

// Inputs or outputs of an inference by name.
using ValueMap = OrderedMap<Value>;

// "tensor", "sequence", "map" or "absent": for messages.
const char* name_of(Value::Kind kind);

// The same kind, and the same arrays bit by bit. O(bytes).
bool bitwise_equal(const Value& a, const Value& b);

// The tensors among the values; the others are left out.
ArrayMap tensors_of(const ValueMap& values);
ValueMap values_of(const ArrayMap& tensors);

}  // namespace polygraphy
