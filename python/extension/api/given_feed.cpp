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

void check_values(const std::string& name, const Array& array, DataType type) {
  if (array.dtype() == type || !polygraphy::is_integral(type) || !is_number(array.dtype())) return;
  const Array converted = polygraphy::convert(array, type);
  const bool integers = polygraphy::is_integral(array.dtype());
  for (int64_t i = 0; i < array.size(); ++i) {
    const bool same = integers ? array.get_int64(i) == converted.get_int64(i)
                               : array.get_double(i) == converted.get_double(i);
    if (same) continue;
    const std::string wanted(polygraphy::name_of(type));
    std::string given = integers ? std::to_string(array.get_int64(i))
                                 : polygraphy::py_float_repr(array.get_double(i));
    throw Error("Input " + quoted(name) + " is " + wanted + ", and element " + std::to_string(i) +
                    " of the given " + std::string(polygraphy::name_of(array.dtype())) +
                    " array is " + given + ".",
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
