#include "polygraphy/data/inputs/constraints/input_ranges.h"

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/log_modules.h"
#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "polygraphy/data/inputs/constraints/infer_for.h"
#include "polygraphy/data/inputs/constraints/input_constraint.h"
#include "polygraphy/data/inputs/constraints/propagate_backward.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::GraphRef;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::Tensor;

using DeclaredShapes = std::unordered_map<const Tensor*, std::vector<int64_t>>;

// The declared shapes of node outputs.
DeclaredShapes declared_shapes(const Model& model) {
  DeclaredShapes shapes;
  for (const auto& node : model.graph->nodes()) {
    for (const Tensor* tensor : node->outputs()) {
      if (auto shape = static_shape(tensor)) shapes.emplace(tensor, std::move(*shape));
    }
  }
  return shapes;
}

class Walk {
 public:
  Walk(const DeclaredShapes& declared, Logger& log) : declared_(declared), log_(log) {}

  // Consumers stand behind producers, so from the last node on each output's range is final when
  // its producer is met. Inner graphs come before the nodes that hold them.
  void run(Graph& root) {
    for (Graph* graph : graphsurgeon::inner_graphs_first(root)) {
      const auto& nodes = graph->nodes();
      for (size_t i = nodes.size(); i-- > 0;) visit(*nodes[i]);
    }
  }

  OrderedMap<ValueRange> of_inputs(const Graph& graph) const {
    OrderedMap<ValueRange> result;
    for (const auto& input : graph.inputs()) {
      const auto found = ranges_.find(input.get());
      if (found == ranges_.end() || found->second.unconstrained()) continue;
      result.set(std::string(input->name()), found->second);
    }
    return result;
  }

 private:
  class NodeContext final : public ConstraintContext {
   public:
    NodeContext(const Node& node, Walk& walk) : node_(node), walk_(walk) {}
    const Node& node() const override { return node_; }
    std::optional<std::vector<int64_t>> output_shape(size_t i) const override {
      if (i >= node_.outputs().size()) return std::nullopt;
      if (auto shape = static_shape(node_.outputs()[i])) return shape;
      const auto found = walk_.declared_.find(node_.outputs()[i]);
      if (found == walk_.declared_.end()) return std::nullopt;
      return found->second;
    }
    void constrain(size_t i, ValueRange range, const std::string& role) override {
      const Tensor* tensor = graphsurgeon::input_at(node_, i);
      if (tensor == nullptr) return;
      range.reason =
          role + ", node '" + std::string(node_.name()) + "' (" + std::string(node_.op()) + ")";
      walk_.narrow(*tensor, range);
    }

   private:
    const Node& node_;
    Walk& walk_;
  };

  void visit(const Node& node) {
    if (node.outputs().empty()) return;  // folded: a constant has taken its place
    NodeContext context(node, *this);
    table_.add_constraints(context);
    if (node.has_subgraphs()) enter_subgraphs(node);
    for (size_t i = 0; i < node.outputs().size(); ++i) {
      const auto found = ranges_.find(node.outputs()[i]);
      if (found == ranges_.end()) continue;
      const ValueRange range = found->second;  // the table may grow below
      propagate_backward(node, i, range, [&](size_t input, ValueRange propagated) {
        if (const Tensor* tensor = graphsurgeon::input_at(node, input)) narrow(*tensor, propagated);
      });
    }
  }

  // Ranges of a body's inputs hold for the node's inputs, too. (Outer tensors that a body uses are
  // the same objects.)
  void enter_subgraphs(const Node& node) {
    if (node.op() != "Loop" && node.op() != "Scan") return;
    for (const GraphRef& body : node.subgraphs()) {
      if (!body) continue;
      // A Loop's body begins with iteration and condition, as the node does with trip count and
      // condition: neither is the other.
      for (size_t i = node.op() == "Loop" ? 2 : 0; i < body->inputs().size(); ++i) {
        const auto found = ranges_.find(body->inputs()[i].get());
        const Tensor* outer = graphsurgeon::input_at(node, i);
        if (found == ranges_.end() || outer == nullptr) continue;
        const ValueRange range = found->second;
        narrow(*outer, range);
      }
    }
  }

  void narrow(const Tensor& tensor, const ValueRange& range) {
    if (tensor.is_constant() || range.unconstrained()) return;
    const auto [place, is_new] = ranges_.emplace(&tensor, range);
    if (is_new || place->second.narrow(range)) return;
    log_.warning(log_modules::kDataLoader,
                 "Tensor: " + std::string(tensor.name()) + " | Values in " + range.text() + " (" +
                     range.reason + ") are required, but also " + place->second.text() + " (" +
                     place->second.reason + "): using the latter.",
                 Once::kYes);
  }

  const DeclaredShapes& declared_;
  Logger& log_;
  ConstraintTable table_;
  std::unordered_map<const Tensor*, ValueRange> ranges_;
};

}  // namespace

OrderedMap<ValueRange> input_ranges(Model& model, const OrderedMap<Shape>& shapes, Logger& log) {
  const DeclaredShapes declared = declared_shapes(model);
  infer_for(shapes, model);
  Walk walk(declared, log);
  walk.run(*model.graph);
  return walk.of_inputs(*model.graph);
}

}  // namespace polygraphy
