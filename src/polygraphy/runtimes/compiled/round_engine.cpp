#include "polygraphy/runtimes/compiled/round_engine.h"

#include <algorithm>
#include <optional>

#include "base/os/device_turn.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/runner.h"

namespace polygraphy {
namespace {

// The form of an option's values; PGB_TEXT: unknown.
int32_t use_of(const EngineJob& job, std::string_view key) {
  const auto options = options_of(job.runner.backend);
  const auto option =
      std::ranges::find_if(options, [&](const pgb_option_spec& each) { return each.key == key; });
  return option == options.end() ? PGB_TEXT : option->type;
}

}  // namespace

std::vector<std::string> files_of_build(const EngineJob& job, const std::string& engine,
                                        const std::vector<std::string>& taken) {
  std::vector<std::string> files = {engine};
  for (const auto& [key, values] : job.runner.session.options) {
    const int32_t use = use_of(job, key);
    for (const std::string& value : values) {
      const bool is_new = use == PGB_WRITTEN_FILE ||
                          (use == PGB_UPDATED_FILE && std::ranges::count(taken, value) > 0);
      if (is_new) files.push_back(value);
    }
  }
  return files;
}

bool build_round_engine(const EngineJob& job, const RoundBuild& build, std::string_view module,
                        Logger& log) {
  EngineJob own = job;
  own.tools.cancel = build.cancel;
  for (auto& [key, values] : own.runner.session.options) {
    if (use_of(job, key) != PGB_WRITTEN_FILE && use_of(job, key) != PGB_UPDATED_FILE) continue;
    for (std::string& value : values) value = build.place(value);
  }
  try {
    std::optional<DeviceTurn> turn;
    if (!job.device.empty()) turn.emplace(job.device, build.cancel);
    build_engine(own, build.place(build.engine), log);
    return true;
  } catch (const RunnerFailure& failure) {
    log.warning(module, "Failed to create network or engine, continuing to the next iteration.");
    log.error(module, failure.what());
    return false;
  }
}

}  // namespace polygraphy
