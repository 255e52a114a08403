#include "cli/locate/noise_judging.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/error.h"
#include "cli/args/noise.h"
#include "cli/locate/target_format.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/tf_model.h"
#include "polygraphy/diagnosis/locate/noise_floor.h"

namespace polygraphy::cli {
namespace {

// Of results that are not the model's outputs as they are, or not all at once, no noise is known.
constexpr std::string_view kContrary[] = {"--compare",     "--compare-func-script",
                                          "--postprocess", "--postprocess-func-script",
                                          "--mem-limit",   "--check-average"};

void check_options(const ParsedArgs& args, const RunPlan& plan) {
  for (const std::string_view option : kContrary) {
    if (args.syntax().find(option) && args.has(option)) {
      throw Error(fmt::format("--noise-floor and {} exclude each other", option),
                  "Leave one of them out.");
    }
  }
  if (plan.model.path.empty()) {
    throw Error("--noise-floor needs the model to compute its rounding noise",
                "Give the ONNX model of the outputs.");
  }
}

}  // namespace

void judge_by_noise(Session& session, const RunPlan& plan, NoiseRunner& runner, RunJob& job) {
  const ParsedArgs& args = session.args();
  if (!args.has("--noise-floor")) {
    for (const std::string_view option : {"--noise-runs", "--noise-threshold"}) {
      if (args.has(option))
        throw Error(fmt::format("{} has no effect without --noise-floor", option),
                    "Add --noise-floor.");
    }
    return;
  }
  check_options(args, plan);
  const std::string typed(args.text("--noise-floor").value_or(std::string(kAutomaticFormat)));
  struct Side {
    std::shared_ptr<Runner> runner;
    NumberFormat asked;
  };
  std::unordered_map<std::string, Side> sides;
  for (size_t i = 0; i < job.runners.size(); ++i)
    sides[job.runners[i]->name()] = {job.runners[i], target_format(args, session.env(), i)};
  const std::optional<NumberFormat> format = resolve_format(typed);
  NoiseFloorJob floor{.model = onnx_source(plan.model, plan.source)};
  floor.make_noise_runner = runner.maker();
  floor.make_feeds = job.make_feeds;
  // A runner that has run knows what it computes in, which may be another format than was asked.
  floor.format_of = [format, sides](const std::string& name) {
    if (format) return *format;
    const auto found = sides.find(name);
    if (found == sides.end()) return NumberFormat::kFloat32;
    return parse_number_format(found->second.runner->precision()).value_or(found->second.asked);
  };
  resolve_noise(args, floor.runs, floor.threshold);
  floor.cancel = cancel_token(session.env());
  job.options.compare_script = noise_floor(std::move(floor), session.log());
}

}  // namespace polygraphy::cli
