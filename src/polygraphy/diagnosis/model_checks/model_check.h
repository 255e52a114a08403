// Checks of a candidate model that need no command: `debug reduce --check-run` and its like. One
// file per kind under kinds/; each defines one descriptor.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arrays/array_map.h"
#include "base/log.h"
#include "base/ordered_map.h"
#include "polygraphy/comparison/output_check/output_check.h"
#include "polygraphy/data/inputs/candidate_inputs.h"
#include "polygraphy/diagnosis/debug_loop/check.h"
#include "polygraphy/diagnosis/debug_loop/check_timeout.h"
#include "polygraphy/runtimes/runner_spec/runner_spec.h"
#include "polygraphy/runtimes/runner_spec/runner_tools.h"

namespace polygraphy {

// Tools of checks. All referenced objects must outlive them.
struct CheckTools {
  RunnerTools runners;  // candidates run in processes of its program
  CandidateInputs inputs;
  // Seconds that a check may take. nullopt: ten times what the first one took, and ten at least;
  // ten minutes for the first.
  std::optional<double> timeout = {};
  std::shared_ptr<LearnedTimeout> learned =
      {};  // of all that check side by side; null: of this check
};

// An option of one kind of check, beside the names of back ends: a text.
struct ModelCheckOption {
  std::string_view name;  // "nodes": the option is --nodes
  std::string_view help;  // for --help
  std::string_view metavar;
};

// How a check is to be made.
struct ModelCheckOptions {
  // Back ends, as many as the kind allows; empty: the usual one.
  std::vector<RunnerSpec> runners = {};
  // The kind's own options that were given, by name.
  OrderedMap<std::string> texts = {};
  // For kinds that compare outputs.
  OutputCheck outputs = {};
};

struct ModelCheck {
  std::string_view name;     // "run": the option is --check-run
  std::string_view summary;  // for --help
  // The number of back ends; the default one, if it may be omitted.
  size_t least_backends = 0, most_backends = 0;
  std::string_view usual_backend = {};
  // Their names are unique among all kinds.
  std::span<const ModelCheckOption> options = {};
  bool compares_outputs = false;  // by ModelCheckOptions::outputs
  // Makes a check for one thread, with separate workers. Throws Error.
  std::unique_ptr<Check> (*make)(const ModelCheckOptions&, const CheckTools&, Logger&) = nullptr;
};

// All kinds of the folder, in file order.
std::span<const ModelCheck* const> model_checks();
// Those that were named, or else the usual one.
std::vector<std::string> backends_of(const ModelCheck& kind, std::vector<std::string> named);
// "--check-run".
std::string option_of(const ModelCheck& kind);
const ModelCheck* find_model_check(std::string_view name);

// Makes a check of this kind. Throws Error for unknown back ends, and for too few or too many.
std::unique_ptr<Check> make_model_check(const ModelCheck& kind, ModelCheckOptions options,
                                        const CheckTools& tools, Logger& log);

}  // namespace polygraphy
