// The verdict on one node of a model that two engines compute differently, with its figures.
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
  kNonFinite,     // makes NaNs or infinities of finite numbers, where the reference makes none
  kGuilty,        // alone, on the reference's inputs, its error exceeds the noise of its format
  kGuiltyInside,  // right alone, but wrong among its neighbours on right inputs
  kGuiltyFused,   // right alone and among its neighbours, but wrong where the engine fuses it
  kOverflows,     // the reference's numbers exceed the range of the format, and results show it
  kEncloses,      // a node in its body is guilty
  kReferenceDeviates,  // the model's own float results agree with the target, not the reference
  kAmplifier,          // makes a small error of its inputs much larger
  kVictim,             // wrong because of its inputs alone
  kNonFiniteInBoth,  // both sides make NaNs or infinities of finite numbers, which outputs may hide
  kNearOverflow,     // in the last factor of two of the format's range, or beyond without effect
  kNoise,            // its error is within the noise of the format
  kExact,            // bit by bit
  kUnknown,          // it, or the inputs of a wrong one, could not be compared; `note` says why
};

// "guilty", "non-finite", "guilty in place", "overflow" ...
std::string_view name_of(NodeVerdict verdict);
// Whether the node itself is wrong.
inline bool is_guilty(NodeVerdict verdict) {
  return verdict <= NodeVerdict::kGuiltyFused;
}

// An error, and the noise: the error of a correct engine of the format.
struct JudgedError {
  TensorError error = {};
  // The largest over the stochastic evaluations; 0: not known.
  double noise_norm = 0, noise_largest = 0;
  // The noise has NaNs or infinities, too: the format cannot hold these numbers.
  bool noise_torn = false;
  // error / noise: the larger of the ratios of norms and of largest differences. Infinite for an
  // error without noise; 0 without an error.
  double ratio = 0;
  // The same by elements, of which a share exceeds it: an error in small numbers beside large ones
  // shows here only. 0: not known.
  double by_element = 0;
  // All that differs is which one of equal numbers was chosen, for which ONNX has a rule.
  bool chose_other_tie = false;
};

// Figures are the maxima over outputs and samples.
struct NodeFinding {
  size_t position = 0;    // in the main graph with local functions inlined, or in the body
  std::string node = {};  // the node's name, or its first output if it has no name
  std::string op = {};
  std::string tensor = {};                          // the output with these figures
  std::vector<std::string> reads = {}, makes = {};  // variables
  std::string graph = {};   // the body that holds it, as "loop_1/body"; empty: the main graph
  std::string module = {};  // the framework's module, if the exporter recorded it
  int64_t sample = 0;
  NodeVerdict verdict = NodeVerdict::kUnknown;
  std::string format = {};                   // format of its numbers on the target: "bfloat16"
  std::optional<JudgedError> isolated = {};  // alone, on the reference's inputs
  // with the nodes that engines fuse it with, on the reference's inputs
  std::optional<JudgedError> neighbours = {};
  std::optional<JudgedError> accumulated = {};  // in place, on the inputs that the target computed
  // names of the nodes in the neighbourhood, including this one
  std::vector<std::string> neighbourhood = {};
  // Relative error of its result in place / the largest relative error of its inputs; 0: the inputs
  // have no error.
  double amplification = 0;
  // Range of the numbers that it reads, on the reference, over all samples, without NaNs and
  // infinities. Both 0: it reads no tensor of numbers.
  double least_input = 0, greatest_input = 0;
  bool finite_inputs = true;  // its inputs have no NaNs or infinities
  bool finite = true;         // its results have no NaNs or infinities
  // The target agrees in place with the runtime that computes the noise, and the reference does
  // not.
  bool reference_deviates = false;
  // largest number of the format / largest magnitude that the reference computes here.
  double headroom = 0;
  // The reference's model has no tensor that this node makes: it ran alone with this later node,
  // whose figures cover both. If both are guilty, this one comes first. Empty: it did not.
  std::string ran_with = {};
  // Of two models: what its float weight says against the scales or zero points of its quantised
  // one. Such a node is guilty, whatever its error is.
  std::string wrong_weight = {};
  bool moves = false;  // it only moves or chooses numbers
  // Its error is beyond the noise, which lacks the rounding of quantised numbers here.
  bool unknown_rounding = false;
  std::string note = {};
};

}  // namespace polygraphy
