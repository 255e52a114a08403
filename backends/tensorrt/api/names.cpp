#include "tensorrt/api/names.h"

#include <cctype>

namespace tensorrt::TENSORRT_FAMILY {
namespace {

// A family that lacks an enumerator leaves it out.
#define TYPE(enumerator, text) \
  if constexpr (requires { Enum::k##enumerator; }) names.push_back({text, Enum::k##enumerator});

template <typename Enum>
Names<Enum> list_of_data_types() {
  Names<Enum> names;
  TYPE(FLOAT, "float32")
  TYPE(HALF, "float16")
  TYPE(INT8, "int8")
  TYPE(INT32, "int32")
  TYPE(BOOL, "bool")
  TYPE(UINT8, "uint8")
  TYPE(FP8, "float8")
  TYPE(BF16, "bfloat16")
  TYPE(INT64, "int64")
  TYPE(INT4, "int4")
  TYPE(FP4, "float4")
  TYPE(E8M0, "float8e8m0")
  return names;
}

#undef TYPE

}  // namespace

const Names<nv::DataType>& data_types() {
  static const Names<nv::DataType> names = list_of_data_types<nv::DataType>();
  return names;
}

std::vector<std::string> flags_of(const nv::INetworkDefinition& network) {
  if (!network.getFlag(nv::NetworkDefinitionCreationFlag::kSTRONGLY_TYPED)) return {};
  return {"STRONGLY_TYPED"};
}

bool same_but_for_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(a[i])) !=
        std::tolower(static_cast<unsigned char>(b[i])))
      return false;
  }
  return true;
}

void refuse_name(std::string_view name, const std::string& option, const Library& library,
                 const std::vector<std::string>& names) {
  throw pgb::bad_option(
      option + ": " + library.name() + " has no value '" + std::string(name) + "'",
      "Values: " + pgb::list_text(names) + ".");
}

}  // namespace tensorrt::TENSORRT_FAMILY
