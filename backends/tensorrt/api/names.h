// The names of enumerators, as TensorRT's Python module spells them: WORKSPACE for kWORKSPACE. The
// compiler knows them, so each family has those of its headers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
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

// All enumerators in the order of their values, which are small.
template <typename Enum>
const Names<Enum>& names();
// "float32", "bfloat16", as Polygraphy calls them.
const Names<nv::DataType>& data_types();

// Of the flags that a network was made with: "STRONGLY_TYPED".
std::vector<std::string> flags_of(const nv::INetworkDefinition& network);

// In any case. Null: unknown name.
template <typename Enum>
const Enum* find_name(std::string_view name, const Names<Enum>& known = names<Enum>());
// "?" for a value that has no name here.
template <typename Enum>
std::string_view name_of(Enum value, const Names<Enum>& known = names<Enum>()) {
  for (const auto& each : known) {
    if (each.value == value) return each.name;
  }
  return "?";
}
// "ElementWiseOperation.SUM".
template <typename Enum>
std::string enum_text(Enum value);
// The value of an option. Throws pgb::Failure with the names that there are.
template <typename Enum>
Enum named(std::string_view name, const std::string& option, const Library& library,
           const Names<Enum>& known = names<Enum>());

// ---- Implementation ----

bool same_but_for_case(std::string_view a, std::string_view b);
[[noreturn]] void refuse_name(std::string_view name, const std::string& option,
                              const Library& library, const std::vector<std::string>& names);

// "nvinfer1::LayerType::kCAST"; "(nvinfer1::LayerType)99" for a value without an enumerator.
template <auto kValue>
constexpr std::string_view qualified_name() {
  constexpr std::string_view kMark = "kValue = ";
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find(kMark) + kMark.size());
  return text.substr(0, text.find_first_of(";]"));
}

template <typename Enum>
const Names<Enum>& names() {
  constexpr int kMost = 128;
  static const Names<Enum> all = []<int... value>(std::integer_sequence<int, value...>) {
    Names<Enum> found;
    const auto add = [&](std::string_view name, Enum each) {
      if (!name.starts_with('(')) found.push_back({name.substr(name.rfind("::k") + 3), each});
    };
    (add(qualified_name<static_cast<Enum>(value)>(), static_cast<Enum>(value)), ...);
    return found;
  }(std::make_integer_sequence<int, kMost>());
  return all;
}

template <typename Enum>
std::string enum_text(Enum value) {
  constexpr std::string_view kFirst = qualified_name<Enum{}>();
  constexpr std::string_view kPath = kFirst.substr(0, kFirst.rfind("::"));
  return std::string(kPath.substr(kPath.rfind("::") + 2)) + "." + std::string(name_of(value));
}

template <typename Enum>
const Enum* find_name(std::string_view name, const Names<Enum>& known) {
  for (const auto& each : known) {
    if (same_but_for_case(each.name, name)) return &each.value;
  }
  return nullptr;
}

template <typename Enum>
Enum named(std::string_view name, const std::string& option, const Library& library,
           const Names<Enum>& known) {
  if (const Enum* found = find_name(name, known)) return *found;
  std::vector<std::string> all;
  for (const auto& each : known) all.emplace_back(each.name);
  refuse_name(name, option, library, all);
}

}  // namespace tensorrt::TENSORRT_FAMILY
