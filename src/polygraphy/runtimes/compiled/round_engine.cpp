#include "polygraphy/runtimes/compiled/round_engine.h"

#include <algorithm>
#include <optional>

#include "base/os/device_turn.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/runner.h"

namespace polygraphy {
namespace {

bool is_written(const EngineJob& job, std::string_view key) {
  const auto options = options_of(job.runner.backend);
  return std::ranges::any_of(options, [&](const pgb_option_spec& option) {
    return option.key == key && option.type == PGB_WRITTEN_FILE;
  });
}

}  // namespace

std::vector<std::string> files_of_build(const EngineJob& job, const std::string& engine) {
  std::vector<std::string> files = {engine};
  for (const auto& [key, values] : job.runner.session.options) {
    if (is_written(job, key)) files.insert(files.end(), values.begin(), values.end());
  }
  return files;
}

bool build_round_engine(const EngineJob& job, const RoundBuild& build, std::string_view module,
                        Logger& log) {
  EngineJob own = job;
  own.tools.cancel = build.cancel;
  for (auto& [key, values] : own.runner.session.options) {
    if (!is_written(job, key)) continue;
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
