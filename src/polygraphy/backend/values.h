// Arrays <-> the values of the C boundary.
//
// A runner's results are named arrays. What is not a tensor is spread over several: the items of a
// sequence x are x[0], x[1] …; a map x is x.keys and x.values; an optional that holds something is
// that, one that holds nothing is absent.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "base/arrays/tensor_map.h"
#include "polygraphy/backend.h"

namespace polygraphy {

// Bytes. Below this copying is cheaper than keeping an engine's allocation alive.
inline constexpr size_t kShareFrom = size_t{64} << 10;

// pgb_values for one call. Views the arrays' bytes; keeps copies where they are not contiguous.
class FeedValues {
 public:
  // A tensor or string tensor.
  const pgb_value& tensor(const Array& array);
  // A sequence of them.
  const pgb_value& sequence(const std::vector<Array>& items);

 private:
  pgb_value view(const Array& array);

  std::deque<pgb_value> values_;
  std::deque<Array> kept_;
  std::deque<std::vector<uint64_t>> offsets_;
  std::deque<std::string> texts_;
  std::deque<std::vector<pgb_value>> items_;
};

// An array of a tensor's or string tensor's values: shares the bytes where the engine lets go of
// them (from kShareFrom on), else copies. Throws Error naming `name` when the value contradicts
// itself (unknown type, too few bytes).
Array to_array(const std::string& name, const pgb_value& value);

// Adds an output under its name, or spread over several. Throws Error when a name is there already.
void add_output(TensorMap& outputs, const std::string& name, const pgb_value& value);

}  // namespace polygraphy
