// Expectations of a case and the values that it found instead: each expectation that fails is a
// line for the authors of the back end, "y[0]: seen 3, expected -3". Cases are part of the program,
// so this uses no test framework.
#pragma once

#include <cstdint>
#include <exception>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arrays/array.h"
#include "polygraphy/data/tensors/value.h"

namespace polygraphy::contract {

// Ends a case that cannot go on: an output is missing. Not an Error, which has a library's text.
class CaseFailed : public std::exception {
 public:
  explicit CaseFailed(std::string text) : text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

// "float32 (2, 3) [1 2 3 …]".
std::string describe(const Array& array);

// Expectations return whether they hold. `what`: the subject, for the failure's text.
class Findings {
 public:
  bool holds(std::string_view what, bool truth);
  bool text_is(std::string_view what, std::string_view seen, std::string_view expected);
  bool text_has(std::string_view what, std::string_view seen,
                std::initializer_list<std::string_view> parts);
  bool text_lacks(std::string_view what, std::string_view seen, std::string_view part);
  // The text of an error_of(): whichever.
  bool fails(std::string_view what, std::string_view error);
  bool number_is(std::string_view what, double seen, double expected, double tolerance = 0);
  bool count_is(std::string_view what, size_t seen, size_t expected);
  bool bits_are(std::string_view what, uint64_t seen, uint64_t expected);
  bool shape_is(std::string_view what, const Shape& seen, const Shape& expected);
  bool type_is(std::string_view what, DataType seen, DataType expected);
  bool names_are(std::string_view what, const std::vector<std::string>& seen,
                 const std::vector<std::string>& expected);
  bool floats_are(std::string_view what, const Array& seen, const std::vector<float>& expected);
  bool same_values(std::string_view what, const Value& seen, const Value& expected);

  const std::vector<std::string>& failures() const { return failures_; }

 private:
  bool note(bool holds, std::string_view what, std::string_view seen, std::string_view expected);

  std::vector<std::string> failures_;
};

}  // namespace polygraphy::contract
