#include "polygraphy/models/loaders/opset_version.h"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/ir/imports.h"
#include "graphsurgeon/onnx/schema.h"

namespace polygraphy {
namespace {

using graphsurgeon::FunctionRef;
using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::NodeRef;
using graphsurgeon::OpsetImport;

void lower(std::vector<OpsetImport>& imports, int64_t version) {
  for (OpsetImport& import : imports) {
    if (graphsurgeon::is_default_domain(import.domain) && import.version > version)
      import.version = version;
  }
}

// The versions that introduced the operators, looked up once per operator and opset.
class SinceVersions {
 public:
  // nullopt: not an operator that the library knows in this opset.
  std::optional<int64_t> of(std::string_view op, int64_t opset) {
    const auto [found, is_new] = known_.try_emplace({std::string(op), opset});
    if (is_new) {
      if (const auto schema = graphsurgeon::find_schema(op, opset)) {
        found->second = schema->since_version();
      }
    }
    return found->second;
  }

 private:
  std::map<std::pair<std::string, int64_t>, std::optional<int64_t>> known_;
};

}  // namespace

std::optional<OpsetNeed> needed_opset(const Model& model) {
  // Graphs within functions obey the function's imports, all others the model's.
  std::map<const Graph*, int64_t> opsets;
  const int64_t of_model = model.opset().value_or(0);
  for (const FunctionRef& function : model.functions) {
    const int64_t version =
        graphsurgeon::imported_version(function->opset_imports, {}).value_or(of_model);
    std::vector<const Graph*> pending{function.get()};
    while (!pending.empty()) {
      const Graph* graph = pending.back();
      pending.pop_back();
      opsets[graph] = version;
      for (const NodeRef& node : graph->nodes()) {
        for (const graphsurgeon::GraphRef& inner : node->subgraphs()) {
          pending.push_back(inner.get());
        }
      }
    }
  }
  SinceVersions since;
  OpsetNeed need;
  for (const Graph* graph : graphsurgeon::all_graphs(model)) {
    const auto in_function = opsets.find(graph);
    const int64_t opset = in_function == opsets.end() ? of_model : in_function->second;
    for (const NodeRef& node : graph->nodes()) {
      if (!graphsurgeon::is_default_domain(node->domain())) continue;
      const std::optional<int64_t> version = since.of(node->op(), opset);
      if (!version) return std::nullopt;
      if (*version > need.version) {
        need = {*version,
                fmt::format("node '{}' is a {} of opset {}", node->name(), node->op(), *version)};
      }
    }
  }
  return need;
}

void lower_opset(Model& model, int64_t version) {
  lower(model.opset_imports, version);
  for (const FunctionRef& function : model.functions) lower(function->opset_imports, version);
}

}  // namespace polygraphy
