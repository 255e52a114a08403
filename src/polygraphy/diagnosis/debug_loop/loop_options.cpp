#include "polygraphy/diagnosis/debug_loop/loop_options.h"

#include <algorithm>

#include "base/thread_pool.h"

namespace polygraphy {

int checks_at_a_time(int jobs, const LoopOptions& loop) {
  const int number = jobs == 0 ? parallelism() : jobs;
  if (number == 1) return 1;
  if (!loop.iter_info.empty()) {
    throw Error(
        kOneIterationInfo,
        "The iteration info is one file, but several checks run several iterations at a time");
  }
  for (const std::string& path : loop.artifacts.paths) {
    if (path == loop.artifact || std::ranges::count(loop.further, path) > 0) continue;
    throw Error(kArtifactOfEveryCheck,
                "With several checks at a time, only files that this tool writes can be artifacts, "
                "not " +
                    path + ", which all checks write",
                "Name " + loop.artifact + ", or check one at a time.");
  }
  return number;
}

}  // namespace polygraphy
