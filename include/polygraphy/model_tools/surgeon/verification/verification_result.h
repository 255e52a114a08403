// Results of `surgeon sanitize --verify`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace polygraphy {

// A rewrite that was reverted because it changed the model's outputs.
struct RolledBack {
  std::string rule;
  bool whole_rule = false;           // all rewrites of the rule were reverted
  std::string op, node;              // the rewritten node
  std::vector<std::string> tensors;  // tensors that became constants or lost their producer
  std::string output, difference;    // the changed output: "element 0 of 4 is 2, was 1"
  std::string input;                 // the input that shows the change
  std::string model, inputs;         // the reproduction's files; empty: no reproduction
};

enum class Verification {
  kSame,       // equal outputs on all inputs
  kNotRun,     // the original does not run here; the verification only loads the result
  kInputKept,  // no skippable rewrite is guilty: the result is the original model
};

}  // namespace polygraphy
