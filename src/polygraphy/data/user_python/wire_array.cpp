#include "polygraphy/data/user_python/wire_array.h"

#include "base/arrays/convert.h"
#include "base/arrays/packing.h"
#include "base/error.h"
#include "formats/element_codes.h"
#include "formats/npy.h"

namespace polygraphy {
namespace {

// The same bytes as another type of the same width.
Array reinterpreted(const Array& array, DataType type) {
  const Array plain = array.contiguous_aligned();
  const auto owner = std::make_shared<const Array>(plain);
  return Array::view(type, plain.shape(), plain.data(), owner);
}

}  // namespace

std::pair<Array, std::string> to_wire(const Array& array, const std::set<std::string>& known) {
  const DataType type = array.dtype();
  if (numpy_has(type)) return {array, ""};
  const std::string name(name_of(type));
  if (name.empty() || array.empty()) {
    throw Error("an array without a known data type cannot be sent to Python.");
  }
  if (!known.contains(name)) {
    if (is_floating(type)) return {convert(array, DataType::kFloat32), ""};
    return {unpack(array), ""};
  }
  return {codes_of(array), name};
}

Array from_wire(const Array& array, const std::string& type) {
  if (type.empty()) return array;
  const auto wanted = parse_data_type(type);
  if (!wanted || numpy_has(*wanted)) {
    throw FormatError("Python sent an array of type '" + type + "', which does not exist.");
  }
  if (is_packed(*wanted)) {
    const bool is_signed = kind_of(*wanted) == Kind::kSigned;
    return pack(reinterpreted(array, is_signed ? DataType::kInt8 : DataType::kUint8), *wanted);
  }
  if (bit_width(*wanted) != bit_width(array.dtype())) {
    throw FormatError("Python sent elements of " + std::to_string(bit_width(array.dtype())) +
                      " bits for the type '" + type + "'.");
  }
  return reinterpreted(array, *wanted);
}

}  // namespace polygraphy
