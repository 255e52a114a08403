// The ONNX element types: names, sizes, classes. Source: onnx.proto, TensorProto.DataType.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace polygraphy {

// The numbers are ONNX's. An unknown number read from a file is kept as it is: use is_known().
// kFloat32 … kFloat6E3M2.
enum class DataType : int32_t {
  kUndefined = 0,
#define PGB_ELEMENT_TYPE(enumerator, number, ...) enumerator = number,
#include "polygraphy/element_types.inc"
};

enum class Kind : uint8_t { kUnknown, kBool, kSigned, kUnsigned, kFloat, kComplex, kString };

// "signed", "float".
std::string_view name_of(Kind kind);

bool is_known(DataType type);

// Every known type, in ONNX order.
std::span<const DataType> all_data_types();

Kind kind_of(DataType type);
inline bool is_floating(DataType type) {
  return kind_of(type) == Kind::kFloat;
}
// Signed or unsigned integers; bool is not one (as in NumPy).
inline bool is_integral(DataType type) {
  return kind_of(type) == Kind::kSigned || kind_of(type) == Kind::kUnsigned;
}

// Bits of one element as stored (packed): 4 for int4, 2 for int2, 6 for float6, 8 for bool; 0 for
// strings and unknown.
int bit_width(DataType type);
inline bool is_packed(DataType type) {
  int b = bit_width(type);
  return b != 0 && b < 8;
}

// Bytes of `count` packed elements, rounded up to whole bytes; 0 for strings and unknown types.
// `count` must be >= 0; throws FormatError if the size does not fit in 63 bits.
int64_t storage_bytes(DataType type, int64_t count);

// The original's lower-case spelling: "float32", "int64", "bool", "string", "float8e4m3fn",
// "float4", "bfloat16", "int4", "uint4" and, for types that the original lacks, ONNX's names in
// lower case ("complex64", "uint2", "float8e8m0"). "unknown(<number>)" is never returned: an
// unknown number gives an empty view.
std::string_view name_of(DataType type);

// ONNX's upper-case proto spelling ("FLOAT", "DOUBLE", "FLOAT8E4M3FN", …); empty when unknown.
std::string_view onnx_name_of(DataType type);

// NumPy's spelling, or ml_dtypes': "float32", "str", "float8_e4m3fn"; empty when unknown.
std::string_view numpy_name_of(DataType type);

// The first IR version of ONNX that has the type; 3, the oldest that is read, when unknown.
int64_t ir_version_of(DataType type);

// Reads the original's names in any case, NumPy's (but not codes such as "<f4") and ONNX's.
std::optional<DataType> parse_data_type(std::string_view name);

}  // namespace polygraphy
