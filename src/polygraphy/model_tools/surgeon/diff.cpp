#include "polygraphy/model_tools/surgeon/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/log_modules.h"
#include "graphsurgeon/diff/alignment.h"
#include "graphsurgeon/io/load.h"
#include "polygraphy/model_tools/inspect/diff_json.h"
#include "polygraphy/model_tools/inspect/diff_text.h"

namespace polygraphy {
namespace {

using graphsurgeon::DiffItem;
using graphsurgeon::DiffReport;
using graphsurgeon::GraphDiff;

graphsurgeon::Model load(const std::string& path, Logger& log) {
  log.info(log_modules::kOnnxLoader, "Loading model: " + path);
  return graphsurgeon::load_model(path);
}

void check_tolerance(const std::optional<double>& tolerance, const char* which) {
  if (!tolerance || (*tolerance >= 0 && std::isfinite(*tolerance))) return;
  throw Error(fmt::format("The {} tolerance is {}", which, *tolerance),
              "Give a number of at least 0.");
}

// Names of other nodes would make each node a change; but names alone are a difference, too.
// `rest`: the report without names.
void leave_names(DiffReport rest, ModelsDiff& result, Logger& log) {
  if (rest.equal()) {
    log.warning(log_modules::kSurgeonDiff,
                "Only names differ: most belong to other tensors in the second model");
    return;
  }
  log.warning(log_modules::kSurgeonDiff,
              "Most names belong to other tensors in the second model, as exporters number them. "
              "Nodes are aligned by structure alone, and names do not count");
  result.report = std::move(rest);
}

// How many nodes and initializers of the second model differ.
struct Differing {
  size_t nodes = 0, initializers = 0;
};

Differing differing(const DiffReport& report) {
  const auto count = [](const std::vector<DiffItem>& items) {
    return static_cast<size_t>(
        std::ranges::count_if(items, [](const DiffItem& item) { return item.after.has_value(); }));
  };
  Differing differing;
  for (const GraphDiff& graph : report.graphs) {
    differing.nodes += count(graph.nodes);
    differing.initializers += count(graph.initializers);
  }
  return differing;
}

bool has_new_names(const DiffReport& report) {
  const auto is_new = [](const DiffItem& item) {
    return std::ranges::any_of(item.changes, [](const graphsurgeon::Change& change) {
      return change.what == "name" || change.what.starts_with("output ");
    });
  };
  return std::ranges::any_of(report.graphs, [&](const GraphDiff& graph) {
    return std::ranges::any_of(graph.nodes, is_new) ||
           std::ranges::any_of(graph.initializers, is_new);
  });
}

// A line for the end of the report: what names alone make different. One new node gives other
// numbers to all behind it. Empty: nothing. `rest`: the report without names.
std::string by_name_only(const DiffReport& report, const DiffReport& rest) {
  const Differing all = differing(report), left = differing(rest);
  std::string text;
  const auto put = [&](size_t with_names, size_t without, std::string_view kind) {
    if (with_names <= without) return;
    const size_t count = with_names - without;
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", count, kind, count == 1 ? "" : "s");
  };
  put(all.nodes, left.nodes, "node");
  put(all.initializers, left.initializers, "initializer");
  if (text.empty()) return "";
  return fmt::format("\nBy name only: {}. Without names: {}", text, diff_summary(rest));
}

}  // namespace

ModelsDiff diff(const DiffModelsOptions& options, Logger& log) {
  check_tolerance(options.what.tolerances.absolute, "absolute");
  check_tolerance(options.what.tolerances.relative, "relative");
  ModelsDiff result;
  result.before = load(options.before, log);
  result.after = load(options.after, log);
  result.report = graphsurgeon::diff(result.before, result.after, options.what);
  std::string names;
  if (options.what.names && !result.report.equal()) {
    const bool contradict =
        graphsurgeon::names_contradict(*result.before.graph, *result.after.graph);
    const bool are_new = has_new_names(result.report);
    if (contradict || are_new) {
      graphsurgeon::DiffOptions what = options.what;
      what.names = false;
      what.partners &= contradict;  // only a report that takes the other's place has them
      DiffReport rest = graphsurgeon::diff(result.before, result.after, what);
      if (are_new) names = by_name_only(result.report, rest);
      if (contradict) leave_names(std::move(rest), result, log);
    }
  }
  if (!options.json.empty()) {
    save_diff_json(result.report, options.before, options.after, options.json);
  }
  log.info(log_modules::kSurgeonDiff,
           "==== Differences ====\n" + diff_text(result.report, {options.items}) + names);
  return result;
}

}  // namespace polygraphy
