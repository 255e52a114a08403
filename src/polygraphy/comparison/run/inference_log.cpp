#include "polygraphy/comparison/run/inference_log.h"

#include <fmt/format.h>

#include "base/arrays/array_repr.h"
#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "base/text.h"
#include "polygraphy/comparison/run/runner_label.h"
#include "polygraphy/data/tensors/metadata.h"

namespace polygraphy {
namespace {

using log_modules::kComparator;

std::string block(std::string_view heading, std::string_view title, const ArrayMap& tensors) {
  return fmt::format("{}\n---- {} ----\n{}", heading, title, to_text(metadata_of(tensors)));
}

// As Python prints a dict of arrays.
std::string values_text(const ArrayMap& tensors) {
  std::string text = "{";
  for (const auto& [name, array] : tensors) {
    if (text.size() > 1) text += ", ";
    text += py_str_repr(name) + ": " + numpy_repr(array);
  }
  return text + "}";
}

}  // namespace

void InferenceLog::activation_started(std::string_view runner) {
  log_.start(kComparator, runner_label(runner) + " | Activating and starting inference");
}

void InferenceLog::warm_up_started(std::string_view runner, int64_t runs) {
  log_.start(kComparator,
             fmt::format("{} | Running {} warm-up run(s)", runner_label(runner), runs));
}

void InferenceLog::warm_up_finished(std::string_view runner, int64_t runs) {
  log_.finish(kComparator,
              fmt::format("{} | Finished {} warm-up run(s)", runner_label(runner), runs));
}

void InferenceLog::input_metadata(std::string_view heading, const ArrayMap& feeds) {
  log_.info(kComparator, block(heading, "Inference Input(s)", feeds), Once::kYes);
}

void InferenceLog::output_metadata(std::string_view runner, const ArrayMap& outputs) {
  log_.info(kComparator, block(runner_label(runner), "Inference Output(s)", outputs), Once::kYes);
}

void InferenceLog::inputs_fed(std::string_view runner, const ArrayMap& feeds) {
  if (!log_.enabled(Severity::kExtraVerbose, kComparator)) return;
  log_.extra_verbose(kComparator,
                     runner_label(runner) + " | Feeding inputs:\n" + indent(values_text(feeds)));
}

void InferenceLog::outputs_received(std::string_view runner, const ArrayMap& outputs,
                                    double seconds) {
  if (!log_.enabled(Severity::kExtraVerbose, kComparator)) return;
  log_.extra_verbose(
      kComparator, fmt::format("{} | Inference Time: {:.3f} ms | Received outputs:\n{}",
                               runner_label(runner), seconds * 1e3, indent(values_text(outputs))));
}

void InferenceLog::runner_completed(std::string_view runner, int64_t iterations, double seconds) {
  if (iterations == 0) return;
  const double milliseconds = seconds * 1e3;
  log_.finish(
      kComparator,
      fmt::format("{} | Completed {} iteration(s) in {} ms | Average inference time: {} ms.",
                  runner_label(runner), iterations, format_g(milliseconds, 4),
                  format_g(milliseconds / static_cast<double>(iterations), 4)));
}

}  // namespace polygraphy
