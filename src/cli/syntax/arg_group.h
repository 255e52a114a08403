// A group of options shared by several commands: one table per file under args/.
#pragma once

#include <span>
#include <string_view>

#include "cli/syntax/option.h"

namespace polygraphy {
struct Metric;
}

namespace polygraphy::cli {

// Options of a group besides its table.
enum class FromBackends : uint8_t {
  kNothing,
  kRunnerFlags,  // the flag of every back end: --onnxrt
  kOptions,      // a group of options per back end, in place of this one
};

struct ArgGroup {
  std::string_view title;    // heading in --help
  std::string_view summary;  // one sentence under it
  std::span<const Option> options;
  FromBackends from_backends = FromBackends::kNothing;
  // Adds the options of the metrics for which it is true, after the table; null: no metrics.
  bool (*with_options_of)(const Metric& metric) = nullptr;
  // An option per in-process check, and the options of each: --check-run --atol.
  bool with_model_checks = false;
};

// All groups of the folder, in file order.
std::span<const ArgGroup* const> arg_groups();

}  // namespace polygraphy::cli
