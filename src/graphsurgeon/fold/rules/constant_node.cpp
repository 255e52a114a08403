// Constant nodes become constants.

#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/passes/constant_nodes.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kOps[] = {"Constant"};

bool apply_rule(Node& node, FoldContext& context) {
  PayloadPtr values = constant_values(node);
  return values && context.produce({std::move(values)});
}

}  // namespace

extern constinit const FoldRule fold_rule_constant_node = {
    .name = "constant-node",
    .summary = "Constant nodes become initializers",
    .ops = kOps,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
