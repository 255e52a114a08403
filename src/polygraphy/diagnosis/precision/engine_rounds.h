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

// Makes the engine of a round: RoundWork::make. Throws the errors of build_round_engine().
bool build_for_round(const EngineJob& job, const std::string& engine, const RoundFiles& files,
                     std::string_view module, Logger& log, CancelToken cancel);

}  // namespace polygraphy
