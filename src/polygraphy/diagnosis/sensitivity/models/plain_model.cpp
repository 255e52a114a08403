#include "polygraphy/diagnosis/sensitivity/models/plain_model.h"

#include <string>
#include <vector>

#include "graphsurgeon/passes/constant_nodes.h"
#include "graphsurgeon/passes/toposort.h"
#include "polygraphy/models/candidates/inline_calls.h"
#include "polygraphy/models/candidates/node_names.h"

namespace polygraphy {

graphsurgeon::Model plain_model(graphsurgeon::Model model) {
  inline_all_calls(model);
  graphsurgeon::constant_nodes_to_initializers(model);
  // Before version 4, all weights are listed as inputs.
  if (model.ir_version < 4) {
    std::erase_if(model.graph->mutable_inputs(),
                  [](const auto& input) { return input->is_constant(); });
    model.ir_version = 4;
  }
  if (!graphsurgeon::is_sorted(*model.graph)) graphsurgeon::toposort(model);
  const std::vector<std::string> names = distinct_node_names(*model.graph);
  for (size_t i = 0; i < names.size(); ++i) {
    if (model.graph->nodes()[i]->name() != names[i]) model.graph->nodes()[i]->set_name(names[i]);
  }
  return model;
}

}  // namespace polygraphy
