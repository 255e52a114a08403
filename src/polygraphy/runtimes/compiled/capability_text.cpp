#include "polygraphy/runtimes/compiled/capability_text.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/ordered_map.h"
#include "base/text.h"
#include "polygraphy/runtimes/compiled/capability_table.h"

namespace polygraphy {

std::string left_justified(std::string text, size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

std::string summary_header(const std::string& columns) {
  return "===== Summary =====\n" + columns + "\n" + std::string(columns.size() + 1, '-') + "\n";
}

std::string capability_text(const Capability& capability) {
  OrderedMap<std::vector<const RefusedNode*>> by_functions;
  size_t functions = std::strlen("Stack trace "), op = std::strlen("Operator "),
         node = std::strlen("Node "), reason = 0;
  for (const RefusedNode& each : capability.refused) {
    const std::string trace = join(each.functions, " -> ");
    by_functions[trace].push_back(&each);
    functions = std::max(functions, trace.size());
    op = std::max(op, each.op.size());
    node = std::max(node, each.name.size());
    reason = std::max(reason, each.reason.size());
  }
  const auto row = [&](const std::string& a, const std::string& b, const std::string& c,
                       const std::string& d) {
    return left_justified(a, functions) + " | " + left_justified(b, op) + " | " +
           left_justified(c, node) + " | " + left_justified(d, reason);
  };
  std::string text = summary_header(row("Stack trace", "Operator", "Node", "Reason"));
  for (const auto& [trace, nodes] : by_functions) {
    for (const RefusedNode* each : nodes)
      text += row(trace, each->op, each->name, each->reason) + "\n";
  }
  return text;
}

}  // namespace polygraphy
