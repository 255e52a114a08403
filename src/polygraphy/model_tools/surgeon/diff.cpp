#include "polygraphy/model_tools/surgeon/diff.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/log_modules.h"
#include "graphsurgeon/diff/alignment.h"
#include "graphsurgeon/io/load.h"
#include "polygraphy/model_tools/inspect/diff_json.h"
#include "polygraphy/model_tools/inspect/diff_text.h"

namespace polygraphy {
namespace {

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
void leave_names(graphsurgeon::DiffOptions what, ModelsDiff& result, Logger& log) {
  what.names = false;
  graphsurgeon::DiffReport report = graphsurgeon::diff(result.before, result.after, what);
  if (report.equal()) {
    log.warning(log_modules::kSurgeonDiff,
                "Only names differ: most belong to other tensors in the second model");
    return;
  }
  log.warning(log_modules::kSurgeonDiff,
              "Most names belong to other tensors in the second model, as exporters number them. "
              "Nodes are aligned by structure alone, and names do not count");
  result.report = std::move(report);
}

}  // namespace

ModelsDiff diff(const DiffModelsOptions& options, Logger& log) {
  check_tolerance(options.what.tolerances.absolute, "absolute");
  check_tolerance(options.what.tolerances.relative, "relative");
  ModelsDiff result;
  result.before = load(options.before, log);
  result.after = load(options.after, log);
  result.report = graphsurgeon::diff(result.before, result.after, options.what);
  if (options.what.names && !result.report.equal() &&
      graphsurgeon::names_contradict(*result.before.graph, *result.after.graph))
    leave_names(options.what, result, log);
  if (!options.json.empty()) {
    save_diff_json(result.report, options.before, options.after, options.json);
  }
  log.info(log_modules::kSurgeonDiff,
           "==== Differences ====\n" + diff_text(result.report, {options.items}));
  return result;
}

}  // namespace polygraphy
