#include "cli/folding_passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "graphsurgeon/passes/cleanup.h"
#include "graphsurgeon/passes/toposort.h"

namespace polygraphy::cli {
namespace {

using graphsurgeon::FoldOptions;
using graphsurgeon::FoldReport;
using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Rewrite;

constexpr std::string_view kModule = "backend/onnx/loader.py";

// Those in subgraphs included.
size_t count_nodes(const Model& model) {
  size_t count = 0;
  std::vector<const Graph*> todo = {model.graph.get()};
  while (!todo.empty()) {
    const Graph* graph = todo.back();
    todo.pop_back();
    count += graph->nodes().size();
    for (const auto& node : graph->nodes()) {
      if (!node->has_subgraphs()) continue;
      for (const auto& inner : node->subgraphs()) todo.push_back(inner.get());
    }
  }
  return count;
}

std::string size_text(int64_t bytes) {
  const double mib = static_cast<double>(bytes) / (1 << 20);
  if (mib >= 1024) return fmt::format("{:.1f} GiB", mib / 1024);
  return mib >= 0.1 ? fmt::format("{:.1f} MiB", mib) : fmt::format("{} bytes", bytes);
}

// Does every node of the main graph come behind those that make its inputs, captures of its
// subgraphs included?
bool is_sorted(const Graph& main) {
  std::unordered_set<const graphsurgeon::Node*> done;
  for (const auto& outer : main.nodes()) {
    std::vector<const graphsurgeon::Node*> todo = {outer.get()};
    for (size_t i = 0; i < todo.size(); ++i) {
      if (!todo[i]->has_subgraphs()) continue;
      for (const auto& inner : todo[i]->subgraphs()) {
        for (const auto& node : inner->nodes()) todo.push_back(node.get());
      }
    }
    // Only the order of the main graph is looked at.
    if (todo.size() > 1) done.insert(todo.begin() + 1, todo.end());
    for (const auto* node : todo) {
      for (const auto* input : node->inputs()) {
        for (const auto* producer : input->producers()) {
          if (!done.contains(producer)) return false;
        }
      }
    }
    done.insert(outer.get());
  }
  return true;
}

// What passes left as it is: later ones meet the same nodes again, with less of the budget left.
class Refusals {
 public:
  void add(const FoldReport& report, int64_t pass, Logger& log) {
    if (!log.enabled(Severity::kVerbose, kModule)) return;
    for (const auto& refusal : report.refusals) {
      const bool is_new = seen_.emplace(refusal.op, refusal.node).second;
      if (!is_new && pass > 1) continue;
      std::string text = fmt::format("Not folded: {} ({})", refusal.node, refusal.op);
      if (refusal.bytes > 0) text += ", " + size_text(refusal.bytes);
      log.verbose(kModule, text + ": " + refusal.why);
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
  if (report.large.size() > kShown) {
    sizes += fmt::format(", ... and {} more", report.large.size() - kShown);
  }
  log.warning(kModule,
              "It looks like this model contains foldable nodes that produce large outputs.\n"
              "In order to avoid bloating the model, you may want to set a constant-folding size "
              "threshold.\n"
              "Note: Large tensors and their corresponding sizes were: {" +
                  sizes + "}",
              Once::kYes);
}

void report_deferred(const FoldReport& report, int64_t limit, Logger& log) {
  if (report.deferred <= 0) return;
  log.warning(kModule,
              fmt::format("Some constants were not folded, because the model would have grown by "
                          "another {}; all folding together may add {}.\n"
                          "To fold them as well: --max-growth unlimited, or a larger size. -v says "
                          "which nodes they are.",
                          size_text(report.deferred), size_text(limit)));
}

}  // namespace

std::vector<Rewrite> fold_in_passes(Model& model, const FoldOptions& wanted, int64_t passes,
                                    Logger& log) {
  if (!is_sorted(*model.graph)) graphsurgeon::toposort(model);
  std::vector<Rewrite> rewrites;
  FoldOptions options = wanted;
  FoldReport last;
  Refusals refusals;
  size_t nodes = count_nodes(model);
  for (int64_t pass = 1; pass <= passes; ++pass) {
    log.info(kModule, fmt::format("Folding Constants | Pass {}", pass));
    try {
      last = graphsurgeon::fold_constants(model, options, log);
      graphsurgeon::cleanup(model);
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      log.warning(kModule, fmt::format("Constant folding pass failed. Skipping subsequent passes.\n"
                                       "Note: Error was:\n{}",
                                       error.what()));
      graphsurgeon::cleanup(model);
      break;
    }
    refusals.add(last, pass, log);
    if (!wanted.size_threshold) warn_of_large(last, log);
    if (options.max_growth) *options.max_growth -= std::min(last.growth, *options.max_growth);
    options.max_rewrites -= static_cast<int64_t>(last.rewrites.size());
    std::move(last.rewrites.begin(), last.rewrites.end(), std::back_inserter(rewrites));
    const size_t before = std::exchange(nodes, count_nodes(model));
    log.info(kModule, fmt::format("    Total Nodes | Original: {:5}, After Folding: {:5} | {:5} "
                                  "Nodes Folded",
                                  before, nodes,
                                  static_cast<int64_t>(before) - static_cast<int64_t>(nodes)));
    if (nodes == before) break;
  }
  report_deferred(last, wanted.max_growth.value_or(0), log);
  return rewrites;
}

}  // namespace polygraphy::cli
