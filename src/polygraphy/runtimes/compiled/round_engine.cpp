#include "polygraphy/runtimes/compiled/round_engine.h"

#include "polygraphy/runtimes/backend/runner.h"

namespace polygraphy {

bool build_round_engine(const std::function<void()>& build, std::string_view module, Logger& log) {
  try {
    build();
    return true;
  } catch (const RunnerFailure& failure) {
    log.warning(module, "Failed to create network or engine, continuing to the next iteration.");
    log.error(module, failure.what());
    return false;
  }
}

}  // namespace polygraphy
