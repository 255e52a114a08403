// The interestingness test of a reduction, as its searches see it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// A smaller model that may still fail.
struct Candidate {
  std::string key;    // equal only for equal candidates of one search: "nodes 3-7,9"
  std::string about;  // for the log: "Keeping 6 of 17 nodes that depend on inputs"
  // Makes the model. Not called when the verdict is known already; not kept beyond the call.
  std::function<graphsurgeon::Model()> make;
  std::optional<int64_t> remaining = {};  // an estimate of the candidates to come, for the log
  std::optional<bool> likely = {};        // the answer that the search expects, if any
  bool again = false;  // needs a verdict of its own, although an equal one was tested before
};

// Searches are programs that call fails(). They change nothing but what they return, so that they
// can be run ahead on guesses: the test then throws, to end them, something that is no
// std::exception.
class InterestingnessTest {
 public:
  virtual ~InterestingnessTest() = default;
  // Throws what making and checking the candidate throws, Interrupted.
  virtual bool fails(const Candidate& candidate) = 0;

  // The output that failed of the candidate of that key, which has been asked; empty: it did not
  // fail, or nobody knows.
  virtual std::string failing_output(const std::string& key) const {
    static_cast<void>(key);
    return {};
  }

  // Candidates between these two are numbered by themselves, in the log and in the replay: "_auto".
  virtual void begin(const std::string& suffix) { static_cast<void>(suffix); }
  virtual void end() {}
  // From now on, a candidate that passes is checked up to so many times.
  virtual void set_tries(int tries) { static_cast<void>(tries); }
};

}  // namespace polygraphy
