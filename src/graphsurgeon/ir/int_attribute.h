// Numbers in attributes.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "graphsurgeon/ir/node.h"

namespace graphsurgeon {

// `otherwise` where there is no such attribute of this type.
inline int64_t int_attribute(const Node& node, std::string_view name, int64_t otherwise) {
  const Attribute* attribute = node.attribute(name);
  const auto* value = attribute ? std::get_if<int64_t>(&attribute->value) : nullptr;
  return value ? *value : otherwise;
}

}  // namespace graphsurgeon
