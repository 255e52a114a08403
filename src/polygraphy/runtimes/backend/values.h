// Values <-> the values of the C interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "polygraphy/backend.h"
#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

class SharedHeap;

// Bytes. Smaller arrays are copied: that is cheaper than keeping a runtime's allocation alive.
inline constexpr size_t kShareFrom = size_t{64} << 10;

// Dimensions that a runtime may give a tensor.
inline constexpr int32_t kMaxRank = 1024;

// pgb_values for one call. Views the arrays' bytes; keeps copies where they are not contiguous.
class FeedValues {
 public:
  // Valid as long as this. An absent value becomes an empty optional.
  const pgb_value& add(const Value& value) { return values_.emplace_back(view(value)); }

 private:
  pgb_value view(const Value& value);
  pgb_value view_array(const Array& array);
  pgb_value view_items(pgb_value_kind kind, std::vector<pgb_value> items);

  std::deque<pgb_value> values_;
  std::deque<Array> kept_;
  std::deque<std::vector<uint64_t>> offsets_;
  std::deque<std::string> texts_;
  std::deque<std::vector<pgb_value>> items_;
};

// An array of the contents of a tensor or string tensor. Shares the bytes if the runtime shares
// ownership of them and there are at least kShareFrom of them, else copies, as many into `heap`,
// which must outlive the array; null: into ordinary memory. Throws Error naming `name` if the value
// contradicts itself (unknown type, too few bytes), and what the heap throws.
Array to_array(const std::string& name, const pgb_value& value, SharedHeap* heap = nullptr);

// A value of any kind; an optional that holds a value becomes that value. Throws the same.
Value to_value(const std::string& name, const pgb_value& value, SharedHeap* heap = nullptr);

}  // namespace polygraphy
