// Look-ups in the opset imports of models and functions, and in the functions of a model.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>

#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// Of the first import of this domain, in any spelling; nullopt: it is not imported.
inline std::optional<int64_t> imported_version(std::span<const OpsetImport> imports,
                                               std::string_view domain) {
  for (const OpsetImport& import : imports) {
    if (same_domain(import.domain, domain)) return import.version;
  }
  return std::nullopt;
}

// The ids (domain.h) of a model's functions, to recognise calls. O(functions).
class FunctionIds {
 public:
  explicit FunctionIds(const Model& model) {
    for (const FunctionRef& each : model.functions) {
      ids_.insert(function_id(each->domain(), each->name(), each->overload()));
    }
  }
  bool empty() const { return ids_.empty(); }
  bool called_by(const Node& node) const {
    return !empty() && ids_.contains(function_id(node.domain(), node.op(), node.overload()));
  }

 private:
  std::unordered_set<std::string> ids_;
};

}  // namespace graphsurgeon
