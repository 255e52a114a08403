#include "polygraphy/diagnosis/precision/engine_rounds.h"

#include "polygraphy/runtimes/compiled/round_engine.h"

namespace polygraphy {

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
  const auto place = [&](const std::string& path) { return files.path(path); };
  return build_round_engine(job, {.engine = engine, .place = place, .cancel = cancel}, module, log);
}

}  // namespace polygraphy
