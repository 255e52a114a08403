// The names of enumerators, as TensorRT's Python module spells them: WORKSPACE for kWORKSPACE.
// Which there are depends on the family.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tensorrt/api/headers.h"

namespace tensorrt::TENSORRT_FAMILY {

template <typename Enum>
struct Named {
  std::string_view name;
  Enum value;
};
template <typename Enum>
using Names = std::vector<Named<Enum>>;

const Names<nv::BuilderFlag>& builder_flags();
const Names<nv::MemoryPoolType>& memory_pools();
const Names<nv::TacticSource>& tactic_sources();
const Names<nv::PreviewFeature>& preview_features();
const Names<nv::HardwareCompatibilityLevel>& hardware_compatibility_levels();
const Names<nv::RuntimePlatform>& runtime_platforms();
const Names<nv::ProfilingVerbosity>& profiling_verbosities();
const Names<nv::TilingOptimizationLevel>& tiling_optimization_levels();
const Names<nv::EngineCapability>& engine_capabilities();
const Names<nv::TensorFormat>& tensor_formats();
const Names<nv::LayerType>& layer_types();
const Names<nvonnxparser::OnnxParserFlag>& parser_flags();
const Names<nvonnxparser::ErrorCode>& parser_errors();
// "float32", "bfloat16".
const Names<nv::DataType>& data_types();

// Of the flags that a network was made with: "STRONGLY_TYPED".
std::vector<std::string> flags_of(const nv::INetworkDefinition& network);

// In any case. Null: unknown name.
template <typename Enum>
const Enum* find_name(const Names<Enum>& names, std::string_view name);
// "?" for a value that has no name here.
template <typename Enum>
std::string_view name_of(const Names<Enum>& names, Enum value) {
  for (const auto& each : names) {
    if (each.value == value) return each.name;
  }
  return "?";
}
// The value of an option. Throws pgb::Failure with the names that there are.
template <typename Enum>
Enum named(const Names<Enum>& names, std::string_view name, const std::string& option,
           const Library& library);

// ---- Implementation ----

bool same_but_for_case(std::string_view a, std::string_view b);
[[noreturn]] void refuse_name(std::string_view name, const std::string& option,
                              const Library& library, const std::vector<std::string>& names);

template <typename Enum>
const Enum* find_name(const Names<Enum>& names, std::string_view name) {
  for (const auto& each : names) {
    if (same_but_for_case(each.name, name)) return &each.value;
  }
  return nullptr;
}

template <typename Enum>
Enum named(const Names<Enum>& names, std::string_view name, const std::string& option,
           const Library& library) {
  if (const Enum* found = find_name(names, name)) return *found;
  std::vector<std::string> known;
  for (const auto& each : names) known.emplace_back(each.name);
  refuse_name(name, option, library, known);
}

}  // namespace tensorrt::TENSORRT_FAMILY
