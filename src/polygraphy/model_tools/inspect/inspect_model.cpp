#include "polygraphy/model_tools/inspect/inspect_model.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/log_modules.h"
#include "base/text.h"
#include "graphsurgeon/passes/unbounded_tensors.h"
#include "polygraphy/model_tools/inspect/attribute_text.h"
#include "polygraphy/model_tools/inspect/tensor_text.h"
#include "polygraphy/models/loaders/load_onnx.h"

namespace polygraphy {
namespace {

using graphsurgeon::Attribute;
using graphsurgeon::Graph;
using graphsurgeon::GraphRef;
using graphsurgeon::Model;
using graphsurgeon::Tensor;

// In the order in which the original meets them: depth first, each node's attributes in turn.
void warn_of_skipped_attributes(const Graph& main, Logger& logger) {
  struct Position {
    const Graph* graph;
    size_t node = 0;
    std::span<const Attribute> attributes = {};
  };
  std::vector<Position> open = {{&main}};
  while (!open.empty()) {
    Position& at = open.back();
    if (at.attributes.empty()) {
      if (at.node == at.graph->nodes().size()) {
        open.pop_back();
      } else {
        at.attributes = at.graph->nodes()[at.node++]->attributes();
      }
      continue;
    }
    const Attribute& attribute = at.attributes.front();
    at.attributes = at.attributes.subspan(1);
    if (!is_shown(attribute)) {
      logger.warning(log_modules::kInspectOnnx, skipped_attribute_text(attribute));
    } else if (const auto* subgraph = std::get_if<GraphRef>(&attribute.value)) {
      open.push_back({subgraph->get()});
    }
  }
}

}  // namespace

void inspect_model(const Model& model, const InspectModelOptions& options, Logger& log) {
  warn_of_skipped_attributes(*model.graph, log);
  log.info(log_modules::kInspectModel,
           model_text(model, options.show, log, "==== ONNX Model ====\n"));
  if (!options.unbounded_sizes) return;
  std::vector<std::string> texts;
  for (const Tensor* tensor : graphsurgeon::unbounded_tensors(*model.graph)) {
    texts.push_back(variable_text(*tensor));
  }
  log.info(log_modules::kInspectModel,
           "Found tensors with unbounded DDS: [" + join(texts, ", ") + "]");
}

Model inspect_model(const ModelSource& source, const InspectModelOptions& options, Logger& log) {
  Model model = std::move(*load_onnx(source, log));
  inspect_model(model, options, log);
  return model;
}

}  // namespace polygraphy
