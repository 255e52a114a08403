// What `surgeon sanitize --verify` found out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace polygraphy {

// A rewrite that changed what the model computes, and was taken back for that.
struct RolledBack {
  std::string rule;
  bool whole_rule = false;           // all rewrites of the rule were
  std::string op, node;              // of the rewrite
  std::vector<std::string> tensors;  // it made constants, or took their producer from
  std::string output, difference;    // what it changed: "element 0 of 4 is 2, was 1"
  std::string input;                 // on which input that was seen
  std::string model, inputs;         // the reproduction's files; empty: none
};

enum class Verification {
  kSame,       // computes the same as the input model on everything that was run
  kNotRun,     // the input model does not run here: whether the result loads is all that is known
  kInputKept,  // no rewrite that can be skipped is to blame: the input itself is the result
};

}  // namespace polygraphy
