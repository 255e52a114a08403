#include "api/given_feed.h"

#include <string>
#include <string_view>

#include "base/arrays/convert.h"
#include "base/arrays/py_repr.h"
#include "base/error.h"

namespace native {
namespace {

using polygraphy::Array;
using polygraphy::DataType;
using polygraphy::Error;
using polygraphy::Metadata;
using polygraphy::ValueMap;

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

bool is_number(DataType type) {
  return polygraphy::is_integral(type) || polygraphy::is_floating(type);
}

std::string element_text(const Array& array, int64_t index) {
  if (array.dtype() == DataType::kUint64)
    return std::to_string(static_cast<uint64_t>(array.get_int64(index)));
  return polygraphy::is_integral(array.dtype())
             ? std::to_string(array.get_int64(index))
             : polygraphy::py_float_repr(array.get_double(index));
}

// Whether the element of an array is the same number after the conversion to integers.
bool is_same(const Array& array, const Array& converted, int64_t index) {
  if (!polygraphy::is_integral(array.dtype()))
    return array.get_double(index) == converted.get_double(index);
  const int64_t number = array.get_int64(index);
  if (number != converted.get_int64(index)) return false;
  // The same 64 bits are two numbers where only one type has signs.
  const auto is_unsigned = [](DataType type) { return type == DataType::kUint64; };
  return number >= 0 || is_unsigned(array.dtype()) == is_unsigned(converted.dtype());
}

void check_values(const std::string& name, const Array& array, DataType type) {
  if (array.dtype() == type) return;
  const std::string given(polygraphy::name_of(array.dtype())), wanted(polygraphy::name_of(type));
  if (polygraphy::kind_of(array.dtype()) == polygraphy::Kind::kComplex &&
      polygraphy::kind_of(type) != polygraphy::Kind::kComplex) {
    throw Error("Input " + quoted(name) + " is " + wanted + ", which has no imaginary parts, and " +
                    "the given array is " + given + ".",
                "If only the real parts are meant, give array.real.");
  }
  if (!polygraphy::is_integral(type) || !is_number(array.dtype())) return;
  const Array converted = polygraphy::convert(array, type);
  for (int64_t i = 0; i < array.size(); ++i) {
    if (is_same(array, converted, i)) continue;
    throw Error("Input " + quoted(name) + " is " + wanted + ", and element " + std::to_string(i) +
                    " of the given " + given + " array is " + element_text(array, i) + ".",
                "If that is meant, convert the array: array.astype(\"" + wanted + "\").");
  }
}

}  // namespace

void check_feed_values(const ValueMap& feed, const Metadata& inputs) {
  for (const auto& [name, value] : feed) {
    const polygraphy::TensorInfo* info = inputs.find(name);
    const Array* array = value.as_tensor();
    if (info != nullptr && array != nullptr) check_values(name, *array, info->dtype);
  }
}

}  // namespace native
