// The outputs that a task metric reads, and their rows.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arrays/array_map.h"
#include "base/error.h"

namespace polygraphy {

// No output suits, or several do.
inline constexpr ErrorCode kWhichOutput{"which-output"};

// The place of the output of this name, or, without a name, of the only one that suits. `form` says
// what suits, for messages: "scores [rows, classes]". Throws Error.
size_t place_of_output(const ArrayMap& outputs, const std::string& name, std::string_view form,
                       const std::function<bool(const Array&)>& suits);

// Throws Error if a model with these outputs has none of this name, nor an array of one
// ("boxes[0]" of a sequence).
void require_output(const std::string& name, const std::vector<std::string>& outputs);

// Rows of numbers, one at a time: the elements of an array in order, `length` to a row.
class NumberRows {
 public:
  NumberRows(const Array& array, int64_t length);

  int64_t count() const { return count_; }
  // Valid until the next call.
  std::span<const double> row(int64_t index);

 private:
  Array array_;
  int64_t length_, count_;
  Array row_;
};

// "float32 [2,10]".
std::string form_of(const Array& array);

}  // namespace polygraphy
