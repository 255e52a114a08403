#include "base/arrays/dtype.h"

#include <array>
#include <iterator>

#include "base/error.h"

namespace polygraphy {
namespace {

struct TypeFacts {
  DataType type = DataType::kUndefined;
  std::string_view name;        // the original's spelling
  std::string_view onnx_name;   // TensorProto.DataType
  std::string_view numpy_name;  // NumPy's or ml_dtypes'
  Kind kind = Kind::kUnknown;
  int bits = 0;
  int64_t ir_version = 3;
};

// Indexed by the ONNX number.
constexpr TypeFacts kTypes[] = {
    {},
#define PGB_ELEMENT_TYPE(enumerator, number, name, onnx_name, numpy_name, kind, bits, ir_version) \
  {DataType::enumerator, name, onnx_name, numpy_name, Kind::kind, bits, ir_version},
#include "polygraphy/element_types.inc"
};
static_assert([] {
  for (size_t i = 0; i < std::size(kTypes); ++i) {
    if (kTypes[i].type != static_cast<DataType>(i)) return false;
  }
  return true;
}());

constexpr auto kAllTypes = [] {
  std::array<DataType, std::size(kTypes) - 1> all{};
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<DataType>(i + 1);
  return all;
}();

constexpr const TypeFacts& facts(DataType type) {
  const auto number = static_cast<int32_t>(type);
  return number > 0 && number < static_cast<int32_t>(std::size(kTypes))
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

std::string_view name_of(Kind kind) {
  constexpr std::array<std::string_view, 7> kNames = {"unknown", "bool",    "signed", "unsigned",
                                                      "float",   "complex", "string"};
  return kNames.at(static_cast<size_t>(kind));
}

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

std::string_view numpy_name_of(DataType type) {
  return facts(type).numpy_name;
}

int64_t ir_version_of(DataType type) {
  return facts(type).ir_version;
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
