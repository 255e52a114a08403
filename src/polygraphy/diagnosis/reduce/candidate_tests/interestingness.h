// The interestingness test of a reduction, as its searches see it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/reduce/intermediates/intermediates.h"
#include "polygraphy/diagnosis/search/upcoming.h"

namespace polygraphy {

// Tools for making candidates.
struct CandidateTools {
  // Of the model before any reduction: tensors are known by their names.
  Intermediates& intermediates;
  Logger& log;
};

// A smaller model that may still fail.
struct Candidate {
  std::string about;  // for the log: "Keeping 6 of 17 nodes that depend on inputs"
  // Makes the model, the same each time. nullopt: it cannot be made, or would fail for an unrelated
  // reason. Not kept beyond the call.
  std::function<std::optional<graphsurgeon::Model>(CandidateTools& tools)> make;
  std::optional<int64_t> remaining = {};  // an estimate of the candidates to come, for the log
  bool again = false;  // needs a separate verdict, although an equal one was tested before
};

// One of a batch.
struct FailingCandidate {
  size_t position;  // in the batch
  Candidate candidate;
};

class InterestingnessTest {
 public:
  virtual ~InterestingnessTest() = default;

  // Whether the candidate fails; one that cannot be made does not. `next`: candidates that may
  // follow, which idle slots check meanwhile; their verdicts count only when they follow. Throws
  // what making and checking the candidate throws, Interrupted.
  bool fails(const Candidate& candidate, const Upcoming<Candidate>& next = {}) {
    return answer(candidate, next);
  }
  // The first of a batch that fails, in its order; nullopt: none does.
  std::optional<FailingCandidate> first_failing(const Upcoming<Candidate>& batch);

  // The output that failed of the candidate that failed last; empty: unknown.
  virtual std::string failing_output() const { return {}; }
  // Candidates between these two are numbered separately, in the log and in the replay: "_auto".
  virtual void begin(const std::string& suffix) { static_cast<void>(suffix); }
  virtual void end() {}
  // From now on, a candidate that passes is checked up to `tries` times.
  virtual void set_tries(int tries) { static_cast<void>(tries); }

 private:
  virtual bool answer(const Candidate& candidate, const Upcoming<Candidate>& next) = 0;
};

}  // namespace polygraphy
