// What a search for a smaller model asks.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Does this candidate still fail?
struct Question {
  std::string key;    // equal only for equal candidates of one search: "nodes 3-7,9"
  std::string about;  // for the log: "Keeping 6 of 17 nodes that depend on inputs"
  // Makes it. Not called when the answer is known already; not kept beyond the call.
  std::function<graphsurgeon::Model()> candidate;
  std::optional<int64_t> remaining = {};  // an estimate of the questions to come, for the log
  std::optional<bool> likely = {};        // the answer, where one is expected
  bool again = false;  // a verdict of its own, although the same candidate was checked before
};

// Who knows. Searches are programs that ask; they change nothing but what they return, so that they
// can be run ahead on guesses: then with an oracle that throws to end them, something that is no
// std::exception.
class Oracle {
 public:
  virtual ~Oracle() = default;
  // Throws what making and checking the candidate throws, Interrupted.
  virtual bool fails(const Question& question) = 0;

  // Questions between these two are numbered by themselves, in the log and in the replay: "_auto".
  virtual void begin(const std::string& suffix) { static_cast<void>(suffix); }
  virtual void end() {}
  // From now on, a candidate that passes is checked up to so many times.
  virtual void set_tries(int tries) { static_cast<void>(tries); }
};

}  // namespace polygraphy
