#include "polygraphy/model_tools/surgeon/diff.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/log_modules.h"
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

}  // namespace

ModelsDiff diff(const DiffModelsOptions& options, Logger& log) {
  check_tolerance(options.what.tolerances.absolute, "absolute");
  check_tolerance(options.what.tolerances.relative, "relative");
  ModelsDiff result;
  result.before = load(options.before, log);
  result.after = load(options.after, log);
  result.report = graphsurgeon::diff(result.before, result.after, options.what);
  if (!options.json.empty()) {
    save_diff_json(result.report, options.before, options.after, options.json);
  }
  log.info(log_modules::kSurgeonDiff,
           "==== Differences ====\n" + diff_text(result.report, {options.items}));
  return result;
}

}  // namespace polygraphy
