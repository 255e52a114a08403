// Checks of a candidate model that need no command: `debug reduce --check-run` and its like. One
// file per kind under kinds/; each defines one descriptor.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arrays/tensor_map.h"
#include "base/error.h"
#include "base/log.h"
#include "polygraphy/backend/plugin_host.h"
#include "polygraphy/compare/metric.h"
#include "polygraphy/debug/check.h"
#include "polygraphy/debug/learned_limit.h"
#include "polygraphy/tensors/metadata.h"

namespace polygraphy {

// There are no values for an input of a candidate, and none can be made up: nothing can be said of
// how it runs.
class CannotFeed : public Error {
 public:
  using Error::Error;
};

// Values for a candidate's inputs, on one of the user's samples; nullopt behind the last. There is
// an entry for every input that needs one. Called from several threads when checks run side by
// side, each with a logger of its own. Throws CannotFeed, Error, Interrupted.
using CandidateInputs =
    std::function<std::optional<TensorMap>(const Metadata& inputs, int64_t sample, Logger& log)>;

// What checks work with. Everything that is referred to outlives them.
struct CheckTools {
  std::string program;  // as Isolation::program (backend/worker_runner.h)
  PluginPaths paths;
  CandidateInputs inputs;
  // Seconds that a check may take. None: ten times what the first one took, and ten at least; ten
  // minutes for the first.
  std::optional<double> timeout = {};
  std::shared_ptr<LearnedLimit> learned = {};  // of all that check side by side; null: of this one
  const std::atomic<bool>* cancel = nullptr;   // null: nobody cancels
};

struct ModelCheckOptions {
  std::vector<std::string> engines = {};  // names of back ends, as many as the kind allows
  MetricOptions tolerances = {};          // of `run`
};

struct ModelCheck {
  std::string_view name;     // "run": the option is --check-run
  std::string_view summary;  // for --help
  // How many engines it takes; what is used when none is named, where that may be.
  size_t least_engines = 0, most_engines = 0;
  std::string_view usual_engine = {};
  // One check, for one thread, with workers of its own. Throws Error.
  std::unique_ptr<Check> (*make)(const ModelCheckOptions&, const CheckTools&, Logger&) = nullptr;
};

// All kinds of the folder, in file order.
std::span<const ModelCheck* const> model_checks();
// "--check-run".
std::string option_of(const ModelCheck& kind);
const ModelCheck* find_model_check(std::string_view name);

// A check of this kind. Throws Error for engines that are none, and for too few or too many.
std::unique_ptr<Check> make_model_check(const ModelCheck& kind, ModelCheckOptions options,
                                        const CheckTools& tools, Logger& log);

}  // namespace polygraphy
