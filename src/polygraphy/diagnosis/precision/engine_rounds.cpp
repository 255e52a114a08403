#include "polygraphy/diagnosis/precision/engine_rounds.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

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

// `engine`, and the files that options of the job write in each build: also those that a build adds
// to (a timing cache) if they are in `taken`, which each build finds missing.
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

}  // namespace

EngineRounds engine_rounds(const EngineJob& job, const LoopOptions& loop, const MakeCheck& check,
                           int jobs) {
  EngineRounds result{.loop = loop,
                      .rounds = {.check = check,
                                 .files = files_of_build(job, loop.artifact, loop.artifacts.paths),
                                 .cancel = job.tools.cancel}};
  result.loop.further = result.rounds.files;
  result.rounds.at_a_time = checks_at_a_time(jobs, result.loop);
  result.loop.artifact_elsewhere = result.rounds.at_a_time > 1;
  return result;
}

bool build_for_round(const EngineJob& job, const std::string& engine, const RoundFiles& files,
                     std::string_view module, Logger& log, CancelToken cancel) {
  EngineJob own = job;
  own.tools.cancel = cancel;
  for (auto& [key, values] : own.runner.session.options) {
    if (use_of(job, key) != PGB_WRITTEN_FILE && use_of(job, key) != PGB_UPDATED_FILE) continue;
    for (std::string& value : values) value = files.path(value);
  }
  try {
    std::optional<DeviceTurn> turn;
    if (!job.device.empty()) turn.emplace(job.device, cancel);
    build_engine(own, files.path(engine), log);
    return true;
  } catch (const RunnerFailure& failure) {
    log.warning(module, "Failed to create network or engine, continuing to the next iteration.");
    log.error(module, failure.what());
    return false;
  }
}

}  // namespace polygraphy
