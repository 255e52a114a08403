#include "graphsurgeon/fold/fold_passes.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/error.h"
#include "base/progress.h"
#include "graphsurgeon/fold/rule.h"
#include "graphsurgeon/passes/cleanup.h"
#include "graphsurgeon/passes/toposort.h"

namespace graphsurgeon {
namespace {

// Those in subgraphs included.
size_t count_nodes(const Model& model) {
  size_t count = 0;
  std::vector<const Graph*> todo = {model.graph.get()};
  while (!todo.empty()) {
    const Graph* graph = todo.back();
    todo.pop_back();
    count += graph->nodes().size();
    for (const NodeRef& node : graph->nodes()) {
      if (!node->has_subgraphs()) continue;
      for (const GraphRef& inner : node->subgraphs()) todo.push_back(inner.get());
    }
  }
  return count;
}

// Of the model's inputs. Sweeps give sizes to them.
size_t count_open_dimensions(const Model& model) {
  size_t count = 0;
  for (const TensorRef& input : model.graph->inputs()) {
    const DimList* shape = input->declared_shape();
    if (shape == nullptr) continue;
    count += static_cast<size_t>(std::count_if(shape->begin(), shape->end(),
                                               [](const Dim& dim) { return !dim.has_value(); }));
  }
  return count;
}

template <typename Item>
void append(std::vector<Item>& all, std::vector<Item>&& more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

// Folds and cleans up, with the remaining budget and number of rewrites.
FoldReport sweep_once(Model& model, FoldOptions& left, polygraphy::Logger& logger) {
  FoldReport report = fold_constants(model, left, logger);
  cleanup(model);
  if (left.max_growth) *left.max_growth -= std::min(report.growth, *left.max_growth);
  if (left.memory_limit)
    *left.memory_limit -= std::clamp<int64_t>(report.growth, 0, *left.memory_limit);
  left.max_rewrites -= static_cast<int64_t>(report.rewrites.size());
  return report;
}

// Sweeps until one finds nothing to do: results of the evaluator decide shapes, and so more, and
// requirements of a node decide shapes before it. As a part of the pass before, which found
// `open_dimensions`.
void settle(Model& model, FoldOptions& left, FoldPass& pass, size_t open_dimensions,
            polygraphy::Logger& logger) {
  size_t open = count_open_dimensions(model);
  bool changed = !pass.report.rewrites.empty() || open != open_dimensions;
  // Each sweep that changes something leaves fewer nodes to fold, or fewer open dimensions: a rule
  // that says so without end is wrong, and no reason to hang.
  size_t sweeps = pass.nodes_before + open + 1;
  while (changed && left.max_rewrites > 0 && sweeps-- > 0) {
    left.cancel.check();
    FoldReport more = sweep_once(model, left, logger);
    changed = !more.rewrites.empty() || count_open_dimensions(model) != open;
    open = count_open_dimensions(model);
    FoldReport& report = pass.report;
    append(report.rewrites, std::move(more.rewrites));
    report.large.insert(report.large.end(), more.large.begin(), more.large.end());
    report.refusals = std::move(more.refusals);
    append(report.taken_defaults, std::move(more.taken_defaults));
    report.growth += more.growth;
    report.deferred = more.deferred;
  }
}

}  // namespace

FoldedPasses fold_to_fixed_point(Model& model, const FoldPassesOptions& options,
                                 polygraphy::Logger& logger) {
  check_rule_names(options.fold.skip_rules);
  if (!is_sorted(*model.graph)) toposort(model);
  FoldedPasses result;
  FoldOptions left = options.fold;  // the rest of budget and rewrites after the passes before
  size_t nodes = count_nodes(model);
  polygraphy::ProgressPhase phase("folding, pass");
  for (int64_t number = 1; number <= options.max_passes; ++number) {
    options.fold.cancel.check();
    if (options.on_start) options.on_start(number);
    FoldPass pass{.number = number, .nodes_before = nodes, .nodes_after = nodes, .report = {}};
    const size_t open = count_open_dimensions(model);
    try {
      pass.report = sweep_once(model, left, logger);
      const bool is_last = number == options.max_passes || count_nodes(model) == nodes;
      if (is_last) settle(model, left, pass, open, logger);
    } catch (const polygraphy::Interrupted&) {
      throw;
    } catch (const polygraphy::Error& error) {
      if (!left.error_ok) throw;
      result.failure = error.what();
      append(result.rewrites, std::move(pass.report.rewrites));
      cleanup(model);
      break;
    }
    pass.nodes_after = nodes = count_nodes(model);
    phase.at(number);
    if (options.on_end) options.on_end(pass);
    result.deferred = pass.report.deferred;
    result.beyond_memory.clear();
    std::ranges::copy_if(pass.report.refusals, std::back_inserter(result.beyond_memory),
                         &Refusal::for_memory);
    const auto& taken = pass.report.taken_defaults;
    result.taken_defaults.insert(taken.begin(), taken.end());
    append(result.rewrites, std::move(pass.report.rewrites));
    if (pass.nodes_after == pass.nodes_before) break;
  }
  return result;
}

}  // namespace graphsurgeon
