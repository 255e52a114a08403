// Names of operator domains. "ai.onnx" is another spelling of the default domain, "" (ONNX IR spec,
// "Operator Sets").
#pragma once

#include <string>
#include <string_view>

namespace graphsurgeon {

// "" for both spellings of the default domain; any other as it is.
constexpr std::string_view normalized_domain(std::string_view domain) {
  return domain == "ai.onnx" ? std::string_view() : domain;
}
constexpr bool is_default_domain(std::string_view domain) {
  return normalized_domain(domain).empty();
}
constexpr bool same_domain(std::string_view a, std::string_view b) {
  return normalized_domain(a) == normalized_domain(b);
}

// The identity of a function, and of a node's callee: equal for equal (domain, name, overload)
// only.
inline std::string function_id(std::string_view domain, std::string_view name,
                               std::string_view overload) {
  std::string id(normalized_domain(domain));
  id.append(1, '\0').append(name).append(1, '\0').append(overload);
  return id;
}

}  // namespace graphsurgeon
