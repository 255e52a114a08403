// Constant folding: nodes that depend on constants only are computed and replaced.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/log.h"
#include "graphsurgeon/fold/evaluator.h"
#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// How folding continues when the evaluator cannot compute everything at once.
enum class Partitioning : uint8_t {
  kNone,       // the evaluator folds nothing
  kBasic,      // each final output is tried separately
  kRecursive,  // a node that fails is peeled off, and its inputs are tried
};

inline constexpr int64_t kDefaultMaxGrowth = int64_t{16} << 20;

struct FoldOptions {
  bool fold_shapes = true;   // Shape and the arithmetic on it, cast elision
  bool infer_shapes = true;  // infer types and shapes on the way; otherwise use declared ones only
  bool recurse_subgraphs = true;
  bool recurse_functions = true;
  bool flatten_subgraphs = true;  // an If with a constant condition becomes its branch
  // From IR version 4 on, an initializer of a model's input is a default value, which callers may
  // replace. They rarely do: it counts as a constant, unless this is true.
  bool keep_input_defaults = false;
  Partitioning partitioning = Partitioning::kNone;
  bool error_ok = true;  // false: the evaluator's error is thrown (not if recursive)
  std::optional<int64_t> size_threshold = {};  // bytes; larger results stay unfolded
  // Bytes by which all folding together may make the file grow; folding beyond that is deferred.
  // nullopt: no limit.
  std::optional<int64_t> max_growth = kDefaultMaxGrowth;
  // Bytes that results and the values on the way to them may take together; nodes beyond that stay.
  // The evaluator itself must stop where the size of a result is not known before. nullopt: no
  // limit.
  std::optional<int64_t> memory_limit = {};
  std::function<bool(const Node&)> exclude = {};  // true: this node is not folded
  std::vector<std::string> skip_rules = {};       // of fold_rule_names()
  // Folding stops after this number of rewrites. Their order is deterministic, so a bisection finds
  // a wrong one.
  int64_t max_rewrites = std::numeric_limits<int64_t>::max();
  Evaluator* evaluator = nullptr;       // null: rules only
  polygraphy::CancelToken cancel = {};  // checked before each pass; throws Interrupted
};

// Alphabetically. Valid for the life of the process.
std::vector<std::string_view> fold_rule_names();

// One applied rewrite. Texts are views of the model's store or of the tables of rules.
struct Rewrite {
  std::string_view rule;
  std::string_view op, node;              // the node rewritten
  std::vector<std::string_view> tensors;  // tensors that became constants, or lost their producer
};

// A node that could have been folded and was not.
struct Refusal {
  std::string_view op, node;
  int64_t bytes = 0;  // size of its result
  std::string why;
  bool for_memory = false;  // memory_limit is the reason
};

struct FoldReport {
  std::vector<Rewrite> rewrites;
  std::vector<Refusal> refusals;
  int64_t growth = 0;    // bytes by which constants grew
  int64_t deferred = 0;  // further bytes by which constants would have grown without max_growth
  // Results over 1 MiB each, of which the original warns.
  std::vector<std::pair<std::string_view, int64_t>> large;
  // Inputs of the model with default values that were folded into something, each once.
  std::vector<std::string_view> taken_defaults;
};

// One pass: one ordered sweep over nodes, subgraphs and functions that infers and folds together,
// and at most one evaluator session (more only if a part fails and `partitioning` allows it).
// Folded nodes lose their outputs and stay in the graph until cleanup(). Nodes must be sorted
// (toposort()). O(nodes + computed values). Throws Error as `options` say, and Interrupted; the
// model stays valid.
FoldReport fold_constants(Model& model, const FoldOptions& options, polygraphy::Logger& logger);

}  // namespace graphsurgeon
