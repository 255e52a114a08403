#include "formats/plain_json_writer.h"

#include <charconv>
#include <cmath>

#include "base/error.h"
#include "formats/json_writer.h"

namespace polygraphy {
namespace {

template <typename T>
void add_float(std::string& text, T value) {
  if (std::isnan(value)) {
    text += "NaN";
  } else if (std::isinf(value)) {
    text += value < 0 ? "-Infinity" : "Infinity";
  } else {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    const std::string_view shortest(digits, static_cast<size_t>(end - digits));
    text += shortest;
    if (shortest.find_first_of(".e") == std::string_view::npos) text += ".0";
  }
}

void add_element(std::string& text, const Array& array, int64_t i) {
  switch (kind_of(array.dtype())) {
    case Kind::kBool:
      text += array.get_int64(i) != 0 ? "true" : "false";
      return;
    case Kind::kSigned:
      text += std::to_string(array.get_int64(i));
      return;
    case Kind::kUnsigned:
      text += std::to_string(static_cast<uint64_t>(array.get_int64(i)));
      return;
    case Kind::kString:
      text += json_quoted(array.strings()[static_cast<size_t>(i)]);
      return;
    default:
      break;
  }
  // Types shorter than float32 have the same digits as float32.
  if (array.dtype() == DataType::kFloat64) {
    add_float(text, array.get_double(i));
  } else {
    add_float(text, static_cast<float>(array.get_double(i)));
  }
}

// Brackets open where an element is the first of a row, a plane and so on, and close where it is
// the last.
void add_array(std::string& text, const std::string& name, const Array& array) {
  if (kind_of(array.dtype()) == Kind::kComplex)
    throw Error("Tensor '" + name + "': JSON has no numbers of type " +
                std::string(name_of(array.dtype())));
  std::vector<int64_t> block;  // elements below each axis
  int64_t elements = 1;
  for (auto dim = array.shape().rbegin(); dim != array.shape().rend(); ++dim)
    block.insert(block.begin(), elements *= *dim);
  if (array.size() == 0) {
    // Lists end where there is nothing to list: (2, 0, 3) is [[], []].
    size_t axis = 0;
    while (array.shape()[axis] != 0) ++axis;
    const Array rows = Array::zeros(
        DataType::kBool,
        {array.shape().begin(), array.shape().begin() + static_cast<std::ptrdiff_t>(axis)});
    std::string lists;
    add_array(lists, name, rows);
    for (size_t at = lists.find("false"); at != std::string::npos; at = lists.find("false", at))
      lists.replace(at, 5, "[]");
    text += lists;
    return;
  }
  const Array whole = array.contiguous_aligned(1);
  for (int64_t i = 0; i < whole.size(); ++i) {
    if (i > 0) text += ", ";
    for (const int64_t size : block) {
      if (i % size == 0) text += '[';
    }
    add_element(text, whole, i);
    for (const int64_t size : block) {
      if ((i + 1) % size == 0) text += ']';
    }
  }
}

}  // namespace

std::string plain_json(const ArrayMap& tensors) {
  std::string text = "{";
  for (const auto& [name, array] : tensors) {
    if (text.size() > 1) text += ", ";
    text += json_quoted(name) + ": ";
    add_array(text, name, array);
  }
  return text + "}\n";
}

}  // namespace polygraphy
