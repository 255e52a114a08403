// Facts of operators: a row for each operator of which the program needs one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "graphsurgeon/ir/node.h"

namespace graphsurgeon {

// Where the numbers of a result come from; those further up keep more of the input.
enum class Movement : uint8_t {
  kReshapes,   // all numbers of the input, in their order
  kPermutes,   // all of them, in another order
  kArranges,   // some of them, once or several times, whatever their values
  kMerges,     // numbers of several tensors or of sequences
  kSelects,    // numbers of the inputs by their values, or with another sign
  kFills,      // numbers of the input, and a constant
  kMakes,      // sizes, positions and constants
  kRuns,       // results of a body
  kConverts,   // the numbers in another type
  kResizes,    // numbers of the input or between them: the attribute "mode"
  kQuantizes,  // codes of numbers, or numbers of codes
  kComputes,   // new numbers, or not known
};

// The main operators of networks.
enum class LayerKind : uint8_t {
  kNone,
  kProduct,  // of matrices
  kConvolution,
  kRecurrence,
  kAttention,
  kNormalization,
};

// The terms of a result that is a sum.
enum class Sums : uint8_t {
  kReduced,     // as many numbers as the input has for one of the result; often 1
  kFactors,     // products of two tensors
  kWindow,      // products with a weight that moves over the data
  kSequence,    // the same at each step of a sequence
  kBehindAxis,  // the axis and those behind it
  kSample,      // all numbers of one sample
};

// The axes of a weight.
enum class WeightLayout : uint8_t {
  kNone,    // no weight, or codes in a custom form
  kMatrix,  // summed along the last but one; the other factor along its last
  kOutputsFirst,
  kInputsFirst,
};

// Inputs of an operator that computes with codes; -1: none.
struct QuantizedSlots {
  int8_t scale = -1, zero = -1;  // of the other factor, slot 0; none: that is a float
  int8_t weight_scale = -1, weight_zero = -1;
  int8_t result_scale = -1, result_zero = -1;  // none: the result is a float or a sum of integers
};

inline constexpr int8_t kNoAxis = std::numeric_limits<int8_t>::min();

// A set of inputs: a bit for each position.
constexpr uint32_t slots(auto... positions) {
  return ((uint32_t{1} << positions) | ...);
}
inline constexpr uint32_t kAllSlots = ~uint32_t{0};

struct OperatorFacts {
  std::string_view name = {};
  Movement movement = Movement::kComputes;
  uint32_t moved = slots(0);  // of a movement: inputs with the numbers of the first result
  uint32_t sizes = 0;         // inputs with values that decide shapes of results, in any version
  LayerKind layer = LayerKind::kNone;
  Sums sums = Sums::kReduced;
  WeightLayout layout = WeightLayout::kNone;
  int8_t weight = -1;        // the input that is a weight in most models
  int8_t bias = -1;          // the input that is added to a layer's sums
  int8_t axis = kNoAxis;     // computes along the attribute "axis", this one without it
  bool elementwise = false;  // a number of the result depends on those at its place
  bool whole = false;        // of whole numbers it makes whole numbers, if of their type
  bool steps = false;        // a little change of the input changes a result a lot, or not at all
  bool random = false;
  bool grows = false;                    // the result may be far larger than the inputs
  bool plain = false;                    // of ONNX Runtime, which computes it alike everywhere
  std::string_view type_attribute = {};  // says the type of the result
  std::string_view float_op = {};        // the same operator on floats instead of codes
  QuantizedSlots codes = {};

  bool moves(size_t slot) const {
    return movement <= Movement::kFills && (slot >= 32 ? moved == kAllSlots : moved >> slot & 1);
  }
  bool decides_shape(size_t slot) const { return slot < 32 && sizes >> slot & 1; }
  bool computes_with_codes() const { return !float_op.empty(); }
  // Sums of products of codes, which other nodes scale.
  bool sums_codes() const {
    return computes_with_codes() && layout != WeightLayout::kNone && codes.weight_scale < 0;
  }
};

// Operators of the standard and of com.microsoft. Others, and those without facts, have the row of
// an operator that computes. O(log rows).
const OperatorFacts& facts_of(const Node& node);

// Makes no new numbers: by the operator, its attributes and the type of its input.
bool moves_numbers(const Node& node);

// Whether the axes of a factor (0: the left one) are turned by an attribute.
bool is_turned(const Node& node, size_t slot);

// The axis of a factor in this slot that a layer with a WeightLayout sums along; from the end (-1,
// -2) for matrices.
int64_t summed_axis(const Node& node, size_t slot);

}  // namespace graphsurgeon
