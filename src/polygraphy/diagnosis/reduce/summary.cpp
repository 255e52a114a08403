#include "polygraphy/diagnosis/reduce/summary.h"

#include "base/arrays/py_repr.h"
#include "base/size_text.h"
#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/io/save.h"
#include "polygraphy/models/candidates/model_size.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;

// Of a file that holds it all.
int64_t bytes_of(const Model& model) {
  constexpr int64_t kKept = 1024;
  auto bytes = static_cast<int64_t>(graphsurgeon::encode_without_payloads(model, kKept).size());
  graphsurgeon::for_each_payload(model, [&](const graphsurgeon::PayloadUse& use) {
    if (use.values->nbytes() > kKept) bytes += use.values->nbytes();
  });
  return bytes;
}

std::string input_count(const Model& model) {
  const size_t count = model.graph->inputs().size();
  return std::to_string(count) + (count == 1 ? " input" : " inputs");
}

// "'mul' (Mul), 'add' (Add)"; empty: there are too many to name, or there is no node.
std::string named_nodes(const graphsurgeon::Graph& graph) {
  constexpr size_t kMost = 3;
  std::string text;
  if (graph.nodes().size() > kMost) return text;
  for (const auto& node : graph.nodes()) {
    const auto& outputs = node->outputs();
    const std::string_view name =
        node->name().empty() && !outputs.empty() ? outputs.front()->name() : node->name();
    text +=
        (text.empty() ? "'" : ", '") + std::string(name) + "' (" + std::string(node->op()) + ")";
  }
  return text;
}

}  // namespace

std::string reduction_summary(const Model& before, const Model& after,
                              const ReductionEffort& effort) {
  std::string text = "Reduced " + std::to_string(model_size(before).nodes) + " nodes to " +
                     std::to_string(model_size(after).nodes) + ", " + input_count(before) + " to " +
                     std::to_string(after.graph->inputs().size()) + ", " +
                     size_text(bytes_of(before)) + " to " + size_text(bytes_of(after)) + " in " +
                     std::to_string(effort.checks) + (effort.checks == 1 ? " check" : " checks");
  if (effort.cached > 0) {
    text += " (" + std::to_string(effort.cached) + " more answered from known verdicts)";
  }
  text += " and " + format_g(effort.seconds, 3) + " s";
  const std::string left = named_nodes(*after.graph);
  return left.empty() ? text : text + ": " + left;
}

}  // namespace polygraphy
