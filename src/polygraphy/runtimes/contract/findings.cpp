#include "polygraphy/runtimes/contract/findings.h"

#include <fmt/format.h>

#include <cmath>

#include "base/arrays/dtype.h"
#include "base/arrays/numpy_text.h"
#include "base/arrays/py_repr.h"

namespace polygraphy::contract {
namespace {

constexpr size_t kShown = 400;  // bytes of a text; the rest is left out

std::string quoted(std::string_view text) {
  return text.size() <= kShown ? fmt::format("\"{}\"", text)
                               : fmt::format("\"{}\" (and {} bytes more)", text.substr(0, kShown),
                                             text.size() - kShown);
}

std::string text_of(const Value& value) {
  return value.as_tensor() ? describe(value.tensor())
                           : std::string(value.is_absent() ? "nothing" : "other values or kinds");
}

}  // namespace

std::string describe(const Array& array) {
  return std::string(name_of(array.dtype())) + " " + py_tuple_repr(array.shape()) + " " +
         numpy_str(array, {});
}

bool Findings::note(bool holds, std::string_view what, std::string_view seen,
                    std::string_view expected) {
  if (!holds) failures_.push_back(fmt::format("{}: seen {}, expected {}", what, seen, expected));
  return holds;
}

bool Findings::holds(std::string_view what, bool truth) {
  if (!truth) failures_.push_back(fmt::format("this does not hold: {}", what));
  return truth;
}

bool Findings::text_is(std::string_view what, std::string_view seen, std::string_view expected) {
  return note(seen == expected, what, quoted(seen), quoted(expected));
}

bool Findings::text_has(std::string_view what, std::string_view seen,
                        std::initializer_list<std::string_view> parts) {
  bool all = true;
  for (const std::string_view part : parts) {
    const bool there = seen.find(part) != std::string_view::npos;
    all &= note(there, what, quoted(seen), fmt::format("{} in it", quoted(part)));
  }
  return all;
}

bool Findings::text_lacks(std::string_view what, std::string_view seen, std::string_view part) {
  return note(seen.find(part) == std::string_view::npos, what, quoted(seen),
              fmt::format("a text without {}", quoted(part)));
}

bool Findings::fails(std::string_view what, std::string_view error) {
  return note(error != "no error", what, "no error", "an error");
}

bool Findings::number_is(std::string_view what, double seen, double expected, double tolerance) {
  const bool same = tolerance > 0 ? std::abs(seen - expected) <= tolerance : seen == expected;
  return note(same, what, fmt::format("{}", seen), fmt::format("{}", expected));
}

bool Findings::count_is(std::string_view what, size_t seen, size_t expected) {
  return note(seen == expected, what, std::to_string(seen), std::to_string(expected));
}

bool Findings::bits_are(std::string_view what, uint64_t seen, uint64_t expected) {
  return note(seen == expected, what, fmt::format("{:x}", seen), fmt::format("{:x}", expected));
}

bool Findings::shape_is(std::string_view what, const Shape& seen, const Shape& expected) {
  return note(seen == expected, what, py_tuple_repr(seen), py_tuple_repr(expected));
}

bool Findings::type_is(std::string_view what, DataType seen, DataType expected) {
  return note(seen == expected, what, name_of(seen), name_of(expected));
}

bool Findings::names_are(std::string_view what, const std::vector<std::string>& seen,
                         const std::vector<std::string>& expected) {
  return note(seen == expected, what, py_list_repr(seen), py_list_repr(expected));
}

bool Findings::floats_are(std::string_view what, const Array& seen,
                          const std::vector<float>& expected) {
  if (!type_is(fmt::format("the type of {}", what), seen.dtype(), DataType::kFloat32)) return false;
  const auto values = seen.as<float>();
  const std::vector<float> copy(values.begin(), values.end());
  return note(copy == expected, what, fmt::format("[{}]", fmt::join(copy, " ")),
              fmt::format("[{}]", fmt::join(expected, " ")));
}

bool Findings::same_values(std::string_view what, const Value& seen, const Value& expected) {
  return note(bitwise_equal(seen, expected), what, text_of(seen), text_of(expected));
}

}  // namespace polygraphy::contract
