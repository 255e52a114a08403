#include "formats/element_codes.h"

#include "base/arrays/packing.h"
#include "base/error.h"

namespace polygraphy {
namespace {

// The type that codes of `type` are stored as.
DataType storage_of(DataType type) {
  if (is_packed(type)) return kind_of(type) == Kind::kSigned ? DataType::kInt8 : DataType::kUint8;
  return bit_width(type) == 16 ? DataType::kUint16 : DataType::kUint8;
}

}  // namespace

Array codes_of(const Array& array) {
  if (is_packed(array.dtype())) return unpack(array);
  const DataType storage = storage_of(array.dtype());
  if (array.contiguous()) return Array::view(storage, array.shape(), array.data(), nullptr);
  return Array::strided(storage, array.shape(), array.strides(), array.data(), nullptr);
}

Array from_codes(const Array& codes, DataType type, const std::string& what) {
  if (codes.dtype() != storage_of(type)) {
    throw FormatError(what + ": the codes of " + std::string(name_of(type)) +
                      " must be stored as " + std::string(name_of(storage_of(type))) + ", not as " +
                      std::string(name_of(codes.dtype())) + ".");
  }
  if (is_packed(type)) return pack(codes, type);
  const Array plain = codes.contiguous_aligned(static_cast<size_t>(bit_width(type) / 8));
  return Array::view(type, plain.shape(), plain.data(), std::make_shared<Array>(plain));
}

}  // namespace polygraphy
