// How far a variation that adds in another order may move the outputs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "polygraphy/diagnosis/consistency/engine_runs.h"
#include "polygraphy/diagnosis/locate/output_noise.h"

namespace polygraphy {

// Times the largest noise of an output: as the noise floor of `run`.
inline constexpr double kNoiseThreshold = 3;

// The noise of the engine's number format, for one of its inputs. Evaluates the model on first use.
class RoundingNoise {
 public:
  // All outlive it. `feed`: the input. `caches`: outputs that are rounded as a decoder's cache.
  RoundingNoise(EngineRuns& runs, std::function<ValueMap()> feed,
                std::vector<std::string> caches = {})
      : runs_(runs), feed_(std::move(feed)), caches_(std::move(caches)) {}

  // The largest noise of an element of this output; 0: none is known, as of whole numbers. Throws
  // Interrupted.
  double largest(const std::string& output);
  // Why the noise could not be evaluated; empty: it was, or not yet.
  const std::string& failure() const { return failure_; }

 private:
  Noises evaluate();

  EngineRuns& runs_;
  std::function<ValueMap()> feed_;
  std::vector<std::string> caches_;
  std::optional<Noises> noises_;
  std::string failure_;
};

}  // namespace polygraphy
