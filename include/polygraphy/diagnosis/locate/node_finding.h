// What is found out about one node of a model that two engines compute differently.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polygraphy/models/noise/tensor_error.h"

namespace polygraphy {

// Worst first: the order of the ranking.
enum class NodeVerdict : uint8_t {
  kNonFinite,        // makes NaNs or infinities of finite numbers, where the reference makes none
  kGuilty,           // alone, on the reference's inputs, it is farther off than its format must be
  kGuiltyInside,     // alone it is right, but among its neighbours, on inputs that are right, wrong
  kOverflows,        // the format has no room for what the reference computes
  kAmplifier,        // makes a small error of its inputs much larger
  kVictim,           // far off, by its inputs alone
  kNonFiniteInBoth,  // both sides make NaNs or infinities of finite numbers, which outputs may hide
  kNearOverflow,     // within the last factor of two of the format's range
  kNoise,            // off by what the format must have
  kExact,            // bit by bit
  kUnknown,          // it could not be compared; `note` says why
};

// "guilty", "non-finite", "guilty in place", "overflow" ...
std::string_view name_of(NodeVerdict verdict);
// Whether the node itself is wrong.
inline bool is_guilty(NodeVerdict verdict) {
  return verdict <= NodeVerdict::kGuiltyInside;
}

// An error beside the one that a correct engine of the format would make.
struct JudgedError {
  TensorError error = {};
  // The largest over the stochastic evaluations; 0: not known.
  double noise_norm = 0, noise_largest = 0;
  // The noise is NaNs or infinities, too: the format cannot hold what is computed here.
  bool noise_torn = false;
  // error / noise: the larger of the ratios of norms and of largest differences. Infinite for an
  // error where there is no noise; 0 without an error.
  double ratio = 0;
};

// The figures are those of the output and the sample where they are worst.
struct NodeFinding {
  size_t position = 0;    // in the main graph, local functions inlined; of a body: in that graph
  std::string node = {};  // without a name: its first output
  std::string op = {};
  std::string tensor = {};                          // the output
  std::vector<std::string> reads = {}, makes = {};  // variables
  std::string graph = {};   // the body that it is in, as "loop_1/body"; empty: the main graph
  std::string module = {};  // of the framework, where the exporter has written it down
  int64_t sample = 0;
  NodeVerdict verdict = NodeVerdict::kUnknown;
  std::string format = {};                     // that its numbers have on the target: "bfloat16"
  std::optional<JudgedError> isolated = {};    // alone, on the reference's inputs
  std::optional<JudgedError> neighbours = {};  // with the nodes that engines fuse it with, likewise
  std::optional<JudgedError> accumulated = {};  // in its place, on the target's own inputs
  std::vector<std::string> neighbourhood = {};  // names of the nodes of that, its own included
  // Relative error of its result in its place / the largest one of its inputs; 0: these have none.
  double amplification = 0;
  // Of the numbers that it reads, on the reference, over all samples; NaNs and infinities do not
  // count. Both 0: it reads no tensor of numbers.
  double least_input = 0, greatest_input = 0;
  bool finite_inputs = true;  // there were none of these
  bool finite = true;         // nor among what it makes
  // largest number of the format / largest magnitude that the reference computes here.
  double headroom = 0;
  std::string note = {};
};

}  // namespace polygraphy
