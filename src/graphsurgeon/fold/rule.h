// One fold rule: the replacement of a node with inputs that are known well enough. Each file of
// rules/ defines one; CMake collects them (fold_rules()).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/sizes/known_values.h"

namespace graphsurgeon {

// Rules compute values up to this size themselves, and leave the rest to the evaluator (results
// that need no computing, such as another shape for the same bytes, have no limit).
inline constexpr int64_t kSmallBytes = int64_t{64} << 10;

// The facts that a rule may use about its node, and the edits that it may make.
class FoldContext {
 public:
  virtual ~FoldContext() = default;

  // The version of the default domain in this graph or function; 0: not imported.
  virtual int64_t opset() const = 0;
  // The values of a decided tensor, whether or not they are written into the model; else null. An
  // initializer that callers may override (IR version 4 and newer) is not decided.
  virtual PayloadPtr value(const Tensor& tensor) const = 0;
  // Of an integer tensor of rank 0 or 1, as NodeInference::elements(). Valid until the next call.
  virtual const DimList* elements(const Tensor& tensor) = 0;
  // As NodeInference::known_values().
  virtual std::optional<KnownValues> known_values(const Tensor& tensor) = 0;
  virtual SizeAlgebra& sizes() = 0;
  virtual void set_elements(Tensor& tensor, DimList elements) = 0;
  // An output of this graph, or of a graph around or inside it.
  virtual bool is_graph_output(const Tensor& tensor) const = 0;

  // The values of all outputs, in order; null for omitted ones. Returns true.
  virtual bool produce(std::vector<PayloadPtr> values) = 0;
  // Edges of the node (or of `node`) were changed; `tensors`: those that lost their producer.
  virtual void rewritten(const Node& node, std::vector<std::string_view> tensors) = 0;

  // --- for rules that put nodes in the place of the node
  virtual Graph& graph() = 0;
  virtual size_t position() const = 0;  // of the node, as the graph stands by now
  // These are visited next. The node itself goes.
  virtual void replace_with(std::vector<NodeRef> nodes) = 0;
  // Makes the tensor, which has no producer, a constant of this graph.
  virtual void add_constant(Tensor& tensor, PayloadPtr values) = 0;
  // `wanted`, or that with a number, such that nothing in the model has this name; it is taken
  // then.
  virtual std::string free_tensor_name(const std::string& wanted) = 0;
  virtual std::string free_node_name(const std::string& wanted) = 0;  // in this graph
  // Several nodes hold this graph in their attributes.
  virtual bool is_shared(const Graph& graph) const = 0;
};

struct FoldOptions;

enum class FoldPhase : uint8_t {
  kSweep,       // node by node, by `apply`
  kEvaluation,  // at the end of the sweep, by the evaluator, for nodes that no other rule computes
};

struct FoldRule {
  std::string_view name;     // as in --skip-rule
  std::string_view summary;  // one line, for --list-rules
  // The operators of the default domain to which it applies.
  std::span<const std::string_view> ops = {};
  // About shapes: not done with FoldOptions::fold_shapes = false.
  bool of_shapes = false;
  // The option that enables the rule; null: always enabled.
  bool FoldOptions::* needs = nullptr;
  FoldPhase phase = FoldPhase::kSweep;
  // Returns true when it has changed something. Null outside of the sweep.
  bool (*apply)(Node& node, FoldContext& context) = nullptr;
};

// In alphabetical order of their files. Valid for the life of the process.
std::span<const FoldRule* const> fold_rules();

// The only rule of FoldPhase::kEvaluation.
const FoldRule& evaluation_rule();

// Throws Error for the first name that no rule has.
void check_rule_names(const std::vector<std::string>& names);

}  // namespace graphsurgeon
