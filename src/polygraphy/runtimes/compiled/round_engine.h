// The engine of one round of a debugging loop.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/log.h"
#include "polygraphy/runtimes/compiled/engine_job.h"

namespace polygraphy {

// `engine`, and the files that options of the job write in each build: also those that a build adds
// to (a timing cache) if they are in `taken`, which each build finds missing.
std::vector<std::string> files_of_build(const EngineJob& job, const std::string& engine,
                                        const std::vector<std::string>& taken);

struct RoundBuild {
  std::string engine;  // the file
  // Where a build that runs beside others writes one of files_of_build(); other paths stay.
  std::function<std::string(const std::string& path)> place;
  CancelToken cancel = {};
};

// build_engine(), in turn on the job's device. False: it threw RunnerFailure, which counts as a
// finding; the log has a warning and the reason, of `module`. Throws its other exceptions: errors
// of the user's options.
bool build_round_engine(const EngineJob& job, const RoundBuild& build, std::string_view module,
                        Logger& log);

}  // namespace polygraphy
