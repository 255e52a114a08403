// Rounds of a debugging loop that build engines: `debug build`, `debug precision`.
#pragma once

#include <string_view>

#include "base/cancel.h"
#include "base/log.h"
#include "polygraphy/diagnosis/debug_loop/check.h"
#include "polygraphy/diagnosis/debug_loop/loop_options.h"
#include "polygraphy/diagnosis/debug_loop/rounds.h"
#include "polygraphy/runtimes/compiled/engine_job.h"

namespace polygraphy {

struct EngineRounds {
  LoopOptions loop;
  RoundOptions rounds;
};

// `jobs`: checks at a time; 0: one per core. Throws Error (checks_at_a_time()).
EngineRounds engine_rounds(const EngineJob& job, const LoopOptions& loop, const MakeCheck& check,
                           int jobs);

// Makes the engine of a round (RoundWork::make) by build_engine(), in turn on the job's device.
// False: that threw RunnerFailure, which counts as a finding; the log has a warning and the reason,
// of `module`. Throws its other exceptions: errors of the user's options.
bool build_for_round(const EngineJob& job, const std::string& engine, const RoundFiles& files,
                     std::string_view module, Logger& log, CancelToken cancel);

}  // namespace polygraphy
