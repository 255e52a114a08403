#include "polygraphy/models/loaders/fold_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "base/size_text.h"
#include "base/text.h"
#include "graphsurgeon/fold/fold_passes.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/onnx/shape_inference.h"

namespace polygraphy {
namespace {

using graphsurgeon::FoldPass;
using graphsurgeon::FoldReport;
using graphsurgeon::Graph;
using graphsurgeon::GraphRef;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::Rewrite;

// The first output of a node and the name of the attribute that holds the body.
using BodyId = std::pair<std::string, std::string>;

// Calls `use` with the id and each node of each body of a node of the main graph.
template <typename Use>
void for_each_in_bodies(const Model& model, Use use) {
  for (const NodeRef& outer : model.graph->nodes()) {
    if (!outer->has_subgraphs()) continue;
    for (const graphsurgeon::Attribute& attribute : outer->attributes()) {
      const auto* body = std::get_if<GraphRef>(&attribute.value);
      if (!body || !*body) continue;
      const BodyId id{outer->outputs().empty() ? "" : outer->outputs().front()->name(),
                      attribute.name};
      for (const Graph* graph : graphsurgeon::inner_graphs_first(**body)) {
        for (const NodeRef& node : graph->nodes()) use(id, *node);
      }
    }
  }
}

// As problems of shape inference name it.
std::string label(const Node& node) {
  if (!node.name().empty() || node.outputs().empty())
    return fmt::format("node '{}' ({}):", node.name(), node.op());
  return fmt::format("node with output '{}' ({}):", node.outputs().front()->name(), node.op());
}

// Bodies of nodes of the main graph in which shape inference fails for a node, at any depth: a
// branch that never runs may hold invalid nodes, which become visible only when folding determines
// the shapes there and replaces inner Ifs with branches. O(model).
std::set<BodyId> contradictory_bodies(const Model& model) {
  Logger silent;
  Model inferred = graphsurgeon::copy(model);
  const std::vector<std::string> problems =
      graphsurgeon::infer_shapes(inferred, {}, silent).problems;
  std::set<BodyId> bodies;
  if (problems.empty()) return bodies;
  for_each_in_bodies(model, [&](const BodyId& id, const Node& node) {
    const std::string text = label(node);
    if (std::any_of(problems.begin(), problems.end(), [&](const std::string& problem) {
          return problem.find(text) != std::string::npos;
        })) {
      bodies.insert(id);
    }
  });
  return bodies;
}

// The nodes inside these bodies, at any depth; inside all bodies if one of them is missing.
std::unordered_set<const Node*> nodes_in(const Model& model, const std::set<BodyId>& bodies) {
  std::unordered_set<const Node*> wanted, all;
  std::set<BodyId> missing = bodies;
  for_each_in_bodies(model, [&](const BodyId& id, const Node& node) {
    missing.erase(id);
    all.insert(&node);
    if (bodies.contains(id)) wanted.insert(&node);
  });
  return missing.empty() ? wanted : all;
}

// Says which nodes were not folded. Later passes refuse the same nodes again, with less of the
// budget left.
class Refusals {
 public:
  void add(const FoldPass& pass, Logger& log) {
    if (!log.enabled(Severity::kVerbose, log_modules::kOnnxLoader)) return;
    for (const auto& refusal : pass.report.refusals) {
      const bool is_new = seen_.emplace(refusal.op, refusal.node).second;
      if (!is_new && pass.number > 1) continue;
      std::string text = fmt::format("Not folded: {} ({})", refusal.node, refusal.op);
      if (refusal.bytes > 0) text += ", " + size_text(refusal.bytes);
      log.verbose(log_modules::kOnnxLoader, text + ": " + refusal.why);
    }
  }

 private:
  std::set<std::pair<std::string_view, std::string_view>> seen_;
};

void warn_of_large(const FoldReport& report, Logger& log) {
  if (report.large.empty()) return;
  constexpr size_t kShown = 20;
  std::string sizes;
  for (size_t i = 0; i < std::min(kShown, report.large.size()); ++i) {
    const auto& [tensor, bytes] = report.large[i];
    sizes += (i ? ", " : "") + py_str_repr(tensor) + ": " + py_str_repr(size_text(bytes));
  }
  sizes += and_more(report.large.size(), kShown, ", ... ");
  log.warning(log_modules::kOnnxLoader,
              "It looks like this model contains foldable nodes that produce large outputs.\n"
              "In order to avoid bloating the model, you may want to set a constant-folding size "
              "threshold.\n"
              "Note: Large tensors and their corresponding sizes were: {" +
                  sizes + "}",
              Once::kYes);
}

void warn_of_memory(const std::vector<graphsurgeon::Refusal>& left, const FoldModelOptions& options,
                    Logger& log) {
  if (left.empty()) return;
  constexpr size_t kShown = 20;
  std::string names;
  for (size_t i = 0; i < std::min(kShown, left.size()); ++i) {
    const auto& [op, node, bytes, why, for_memory] = left[i];
    names +=
        fmt::format("{}{} ({})", i ? ", " : "", node.empty() ? "a node" : py_str_repr(node), op);
  }
  names += and_more(left.size(), kShown, ", ... ");
  log.warning(
      log_modules::kOnnxLoader,
      fmt::format("{} node{} not folded for want of memory, of which folding may take {}: "
                  "{}\n{}",
                  left.size(), left.size() == 1 ? " was" : "s were",
                  size_text(options.fold.memory_limit.value_or(0)), names, options.memory_advice));
}

void log_node_counts(const FoldPass& pass, Logger& log) {
  log.info(log_modules::kOnnxLoader,
           fmt::format(
               "    Total Nodes | Original: {:5}, After Folding: {:5} | {:5} Nodes Folded",
               pass.nodes_before, pass.nodes_after,
               static_cast<int64_t>(pass.nodes_before) - static_cast<int64_t>(pass.nodes_after)));
}

void log_taken_defaults(size_t count, const std::string& advice, Logger& log) {
  if (count == 0) return;
  log.info(log_modules::kOnnxLoader,
           fmt::format("Took the initializers of {} input{} for constants\n{}", count,
                       count == 1 ? "" : "s", advice));
}

std::vector<Rewrite> fold_once(Model& model, const FoldModelOptions& options, Logger& log) {
  Refusals refusals;
  const auto on_start = [&](int64_t number) {
    log.info(log_modules::kOnnxLoader, fmt::format("Folding Constants | Pass {}", number));
  };
  const auto on_end = [&](const FoldPass& pass) {
    refusals.add(pass, log);
    if (!options.fold.size_threshold) warn_of_large(pass.report, log);
    log_node_counts(pass, log);
  };
  auto folded = graphsurgeon::fold_to_fixed_point(
      model, {options.fold, options.max_passes, on_start, on_end}, log);
  if (folded.failure) {
    log.warning(log_modules::kOnnxLoader,
                fmt::format("Constant folding pass failed. Skipping subsequent passes.\n"
                            "Note: Error was:\n{}",
                            *folded.failure));
  }
  if (folded.deferred > 0) {
    log.warning(log_modules::kOnnxLoader,
                fmt::format("Some constants were not folded: they would add another {} to the "
                            "model, but the limit is {}.\n{}",
                            size_text(folded.deferred),
                            size_text(options.fold.max_growth.value_or(0)), options.growth_advice));
  }
  warn_of_memory(folded.beyond_memory, options, log);
  log_taken_defaults(folded.taken_defaults.size(), options.defaults_advice, log);
  return std::move(folded.rewrites);
}

}  // namespace

std::vector<Rewrite> fold_model(Model& model, const FoldModelOptions& options, Logger& log) {
  const auto& nodes = model.graph->nodes();
  const bool has_bodies = std::any_of(nodes.begin(), nodes.end(),
                                      [](const auto& node) { return node->has_subgraphs(); });
  if (!has_bodies || !options.fold.recurse_subgraphs) return fold_once(model, options, log);

  Model before = graphsurgeon::copy(model);
  std::vector<Rewrite> rewrites = fold_once(model, options, log);
  std::set<BodyId> bodies = contradictory_bodies(model);
  if (bodies.empty()) return rewrites;
  for (const BodyId& as_before : contradictory_bodies(before)) bodies.erase(as_before);
  if (bodies.empty()) return rewrites;

  FoldModelOptions again = options;
  again.fold.exclude = [kept = nodes_in(before, bodies),
                        given = options.fold.exclude](const graphsurgeon::Node& node) {
    return kept.contains(&node) || (given && given(node));
  };
  std::string names;
  for (const auto& [output, attribute] : bodies)
    names += fmt::format("{}'{}' of the node with output '{}'", names.empty() ? "" : ", ",
                         attribute, output);
  log.info(log_modules::kOnnxLoader,
           fmt::format("Folding again without {}, which cannot run on inputs of these shapes: "
                       "runtimes would reject the folded model",
                       names));
  model = std::move(before);
  return fold_once(model, again, log);
}

}  // namespace polygraphy
