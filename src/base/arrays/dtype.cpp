#include "base/arrays/dtype.h"

#include <array>

#include "base/error.h"

namespace polygraphy {
namespace {

struct TypeFacts {
  std::string_view name;        // the original's spelling
  std::string_view onnx_name;   // TensorProto.DataType
  std::string_view numpy_name;  // NumPy's or ml_dtypes'
  Kind kind = Kind::kUnknown;
  int bits = 0;
};

// Indexed by the ONNX number.
constexpr std::array<TypeFacts, 29> kTypes = {{
    {},
    {"float32", "FLOAT", "float32", Kind::kFloat, 32},
    {"uint8", "UINT8", "uint8", Kind::kUnsigned, 8},
    {"int8", "INT8", "int8", Kind::kSigned, 8},
    {"uint16", "UINT16", "uint16", Kind::kUnsigned, 16},
    {"int16", "INT16", "int16", Kind::kSigned, 16},
    {"int32", "INT32", "int32", Kind::kSigned, 32},
    {"int64", "INT64", "int64", Kind::kSigned, 64},
    {"string", "STRING", "str", Kind::kString, 0},
    {"bool", "BOOL", "bool", Kind::kBool, 8},
    {"float16", "FLOAT16", "float16", Kind::kFloat, 16},
    {"float64", "DOUBLE", "float64", Kind::kFloat, 64},
    {"uint32", "UINT32", "uint32", Kind::kUnsigned, 32},
    {"uint64", "UINT64", "uint64", Kind::kUnsigned, 64},
    {"complex64", "COMPLEX64", "complex64", Kind::kComplex, 64},
    {"complex128", "COMPLEX128", "complex128", Kind::kComplex, 128},
    {"bfloat16", "BFLOAT16", "bfloat16", Kind::kFloat, 16},
    {"float8e4m3fn", "FLOAT8E4M3FN", "float8_e4m3fn", Kind::kFloat, 8},
    {"float8e4m3fnuz", "FLOAT8E4M3FNUZ", "float8_e4m3fnuz", Kind::kFloat, 8},
    {"float8e5m2", "FLOAT8E5M2", "float8_e5m2", Kind::kFloat, 8},
    {"float8e5m2fnuz", "FLOAT8E5M2FNUZ", "float8_e5m2fnuz", Kind::kFloat, 8},
    {"uint4", "UINT4", "uint4", Kind::kUnsigned, 4},
    {"int4", "INT4", "int4", Kind::kSigned, 4},
    {"float4", "FLOAT4E2M1", "float4_e2m1fn", Kind::kFloat, 4},
    {"float8e8m0", "FLOAT8E8M0", "float8_e8m0fnu", Kind::kFloat, 8},
    {"uint2", "UINT2", "uint2", Kind::kUnsigned, 2},
    {"int2", "INT2", "int2", Kind::kSigned, 2},
    {"float6e2m3", "FLOAT6E2M3", "float6_e2m3fn", Kind::kFloat, 6},
    {"float6e3m2", "FLOAT6E3M2", "float6_e3m2fn", Kind::kFloat, 6},
}};

constexpr auto kAllTypes = [] {
  std::array<DataType, kTypes.size() - 1> all{};
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<DataType>(i + 1);
  return all;
}();

constexpr const TypeFacts& facts(DataType type) {
  const auto number = static_cast<int32_t>(type);
  return number > 0 && number < static_cast<int32_t>(kTypes.size())
             ? kTypes[static_cast<size_t>(number)]
             : kTypes[0];
}

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

}  // namespace

bool is_known(DataType type) {
  return facts(type).kind != Kind::kUnknown;
}

std::span<const DataType> all_data_types() {
  return kAllTypes;
}

Kind kind_of(DataType type) {
  return facts(type).kind;
}

int bit_width(DataType type) {
  return facts(type).bits;
}

int64_t storage_bytes(DataType type, int64_t count) {
  const int64_t bits = bit_width(type);
  if (bits < 8 && count >= 0) return count / 8 * bits + (count % 8 * bits + 7) / 8;
  int64_t total = 0;
  if (count < 0 || __builtin_mul_overflow(count, bits / 8, &total)) {
    throw FormatError("the size of " + std::to_string(count) + " elements of type " +
                      std::string(name_of(type)) + " does not fit in 63 bits");
  }
  return total;
}

std::string_view name_of(DataType type) {
  return facts(type).name;
}

std::string_view onnx_name_of(DataType type) {
  return facts(type).onnx_name;
}

std::optional<DataType> parse_data_type(std::string_view name) {
  // Three passes, so that a name of the original always wins over an alias.
  constexpr std::string_view TypeFacts::* kSpellings[] = {&TypeFacts::name, &TypeFacts::onnx_name,
                                                          &TypeFacts::numpy_name};
  for (const auto spelling : kSpellings) {
    for (const DataType type : kAllTypes) {
      if (equal_ignoring_case(facts(type).*spelling, name)) return type;
    }
  }
  return std::nullopt;
}

}  // namespace polygraphy
