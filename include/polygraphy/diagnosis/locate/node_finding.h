// The verdict on one node of a model that two engines compute differently, with its figures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/record.h"
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
constexpr auto all_of(RecordOf<NodeVerdict>) {
  return values_up_to<NodeVerdict::kUnknown>();
}
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

  // The noise, relative to the reference.
  double relative_noise() const {
    return error.reference_norm > 0 ? noise_norm / error.reference_norm : 0;
  }
};

constexpr auto record_of(RecordOf<JudgedError>) {
  return record<JudgedError>(
      "NodeError", "The error of a tensor on the target, against the reference.",
      derived(
          "relative", [](const JudgedError& of) { return of.error.relative(); },
          "Norm of the difference / norm of the reference."),
      member(
          "largest", [](auto& of) -> auto& { return of.error.largest; }, "The largest difference."),
      member(
          "worst_element", [](auto& of) -> auto& { return of.error.worst; },
          "Its index in C order; -1: there is no difference."),
      member(
          "worst_reference", [](auto& of) -> auto& { return of.error.worst_reference; },
          "The reference's value there."),
      member(
          "worst_observed", [](auto& of) -> auto& { return of.error.worst_observed; },
          "The target's value there."),
      member(
          "ulps", [](auto& of) -> auto& { return of.error.ulps; },
          "The largest difference in steps of the number format."),
      derived(
          "cosine", [](const JudgedError& of) { return of.error.cosine(); },
          "Of the angle between both."),
      derived(
          "snr", [](const JudgedError& of) { return of.error.snr(); },
          "Signal-to-noise ratio in decibels."),
      count(
          "elements", [](auto& of) -> auto& { return of.error.elements; }, "How many there are."),
      count(
          "non_finite", [](auto& of) -> auto& { return of.error.non_finite; },
          "NaNs and infinities of the target."),
      count(
          "non_finite_mismatches", [](auto& of) -> auto& { return of.error.non_finite_mismatches; },
          "Elements that are finite on one side only, or not finite in different ways."),
      member(
          "first_mismatch", [](auto& of) -> auto& { return of.error.first_mismatch; },
          "The index of the first of these, or -1."),
      member(
          "least", [](auto& of) -> auto& { return of.error.least_number; },
          "The least number of the reference."),
      member(
          "greatest", [](auto& of) -> auto& { return of.error.largest_number; },
          "The greatest number of the reference."),
      derived("noise", &JudgedError::relative_noise, "The relative error of a correct engine."),
      member("noise_largest", &JudgedError::noise_largest,
             "The largest difference of a correct engine."),
      member("ratio", &JudgedError::ratio,
             "The error as a multiple of its noise; infinite for an error without noise."),
      member("by_element", &JudgedError::by_element,
             "The same ratio by elements, of which a share exceeds it: shows errors of small "
             "numbers beside large ones. 0: not known."),
      member(
          "incomparable", [](auto& of) -> auto& { return of.error.incomparable; },
          "The reason for missing figures, such as different shapes.")
          .if_set(),
      internal("reference_norm", [](auto& of) -> auto& { return of.error.reference_norm; }),
      internal("observed_norm", [](auto& of) -> auto& { return of.error.observed_norm; }),
      internal("product", [](auto& of) -> auto& { return of.error.product; }),
      internal("norm", [](auto& of) -> auto& { return of.error.norm; }),
      internal("non_finite_reference",
               [](auto& of) -> auto& { return of.error.non_finite_reference; }),
      internal("first_non_finite", [](auto& of) -> auto& { return of.error.first_non_finite; }),
      internal("exact", [](auto& of) -> auto& { return of.error.exact; }),
      internal("noise_norm", &JudgedError::noise_norm),
      internal("noise_torn", &JudgedError::noise_torn));
}

// Figures are the maxima over outputs and samples.
struct NodeFinding {
  size_t position = 0;  // in the main graph with local functions inlined, or in the body
  int64_t rank = 0;
  std::string node = {}, op = {}, tensor = {};
  std::vector<std::string> reads = {}, makes = {};
  std::string graph = {}, module = {};
  int64_t sample = 0;
  NodeVerdict verdict = NodeVerdict::kUnknown;
  std::string format = {};
  std::optional<JudgedError> isolated = {}, neighbours = {}, accumulated = {};
  std::vector<std::string> neighbourhood = {};
  double amplification = 0, least_input = 0, greatest_input = 0;
  bool finite_inputs = true;  // its inputs have no NaNs or infinities
  bool finite = true;         // its results have no NaNs or infinities
  bool reference_deviates = false;
  double headroom = 0;
  // If both are guilty, this one comes before the one it ran with.
  std::string ran_with = {};
  std::string wrong_weight = {};  // such a node is guilty, whatever its error is
  bool moves = false;             // it only moves or chooses numbers
  // Its error is beyond the noise, which lacks the rounding of quantised numbers here.
  bool unknown_rounding = false;
  std::string note = {};

  // Alone, or else in place; null: neither.
  const JudgedError* shown() const {
    return isolated ? &*isolated : accumulated ? &*accumulated : nullptr;
  }
};

// 0 without an error.
inline double relative_error(const std::optional<JudgedError>& judged) {
  return judged ? judged->error.relative() : 0;
}

constexpr auto record_of(RecordOf<NodeFinding>) {
  return record<NodeFinding>(
      "NodeFinding", "The verdict on one node. Figures are the maxima over outputs and samples.",
      member("rank", &NodeFinding::rank, "From 1, the worst."),
      member("node", &NodeFinding::node, "Its name, or its first output if it has no name."),
      member("op", &NodeFinding::op, "\"Conv\".").python("op_type"),
      member("graph", &NodeFinding::graph,
             "The body that holds it, \"loop_1/body\"; empty: the main graph."),
      count("position", &NodeFinding::position,
            "Its place there, from 0, with local functions inlined."),
      member("tensor", &NodeFinding::tensor, "The output with these figures."),
      member("module", &NodeFinding::module,
             "The framework's module, if the exporter recorded it."),
      member("verdict", &NodeFinding::verdict, "See docs/locate.md."),
      member("format", &NodeFinding::format, "The number format of the node on the target."),
      member("sample", &NodeFinding::sample, "The sample with these figures."),
      derived(
          "isolated", [](const NodeFinding& of) { return relative_error(of.isolated); },
          "The relative error of the node alone.")
          .json_only(),
      derived(
          "accumulated", [](const NodeFinding& of) { return relative_error(of.accumulated); },
          "The relative error in place.")
          .json_only(),
      derived(
          "noise",
          [](const NodeFinding& of) { return of.shown() ? of.shown()->relative_noise() : 0; },
          "The relative error of a correct engine.")
          .json_only(),
      derived(
          "ratio", [](const NodeFinding& of) { return of.shown() ? of.shown()->ratio : 0; },
          "The error as a multiple of its noise: of the node alone, else in place."),
      member("amplification", &NodeFinding::amplification,
             "The relative error of the result in place / the largest one of the inputs."),
      member("headroom", &NodeFinding::headroom,
             "The largest number of the format / the largest magnitude of the reference."),
      member("least_input", &NodeFinding::least_input,
             "The least number that it reads, on the reference, over all samples."),
      member("greatest_input", &NodeFinding::greatest_input, "Likewise, the greatest."),
      member("reference_deviates", &NodeFinding::reference_deviates,
             "In place, the target agrees with the runtime that computes the noise, and the "
             "reference does not."),
      member("reads", &NodeFinding::reads, "Names of the variables that it reads."),
      member("makes", &NodeFinding::makes, "Names of its results."),
      member("neighbourhood", &NodeFinding::neighbourhood,
             "Nodes that engines fuse it with, including itself."),
      member("ran_with", &NodeFinding::ran_with,
             "The float model lacks the node: it was judged with this later one, which both have.")
          .if_set(),
      member("wrong_weight", &NodeFinding::wrong_weight,
             "The contradiction between the float weight and the scales or zero points of the "
             "quantised one.")
          .if_set(),
      member("note", &NodeFinding::note, "The reason for a missing verdict.").if_set(),
      member("isolated_error", &NodeFinding::isolated,
             "The error of the node alone, on the reference's inputs; null: not measured.")
          .python("isolated"),
      member("neighbours_error", &NodeFinding::neighbours,
             "The same among the nodes that engines fuse it with.")
          .python("neighbours"),
      member("accumulated_error", &NodeFinding::accumulated,
             "In place, on the inputs that the target computed.")
          .python("accumulated"));
}

}  // namespace polygraphy
