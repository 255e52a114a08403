// What a search for a smaller model asks.
#pragma once

#include <functional>
#include <string>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Does this candidate still fail?
struct Question {
  std::string key;    // equal only for equal candidates of one search: "nodes 3-7,9"
  std::string about;  // for the log: "Keeping 6 of 17 nodes that depend on inputs"
  // Makes it. Not called when the answer is known already.
  std::function<graphsurgeon::Model()> candidate;
};

// Who knows. Searches are programs that ask; they change nothing but what they return, so that they
// can be run ahead on guesses.
class Oracle {
 public:
  virtual ~Oracle() = default;
  // Throws what making and checking the candidate throws, Interrupted.
  virtual bool fails(const Question& question) = 0;
};

}  // namespace polygraphy
