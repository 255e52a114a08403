// A fault in a node of a model, as nodes that compute the wrong result.
#pragma once

#include <string>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

struct Fault {
  enum class Kind {
    kScale,       // results are too large, by a part
    kSaturates,   // results larger than half of the largest one become that half
    kTile,        // the first four results are 0
    kNan,         // the first result is NaN
    kTruncates,   // results are multiples of 1/64 of the largest, rounded down
    kEpsilon,     // of a normalization, 100 times as large and at least 0.1
    kAxis,        // of a Softmax, the one before
    kNoBias,      // of Conv and Gemm
    kTransposed,  // square weights of MatMul and Gemm
    kOverflows,   // a sum of squares is computed in float16
    kSometimes,   // 1.5 times too large where the largest result is more than `limit`
    kPlusOne,     // all whole results are 1 too large
    kFlips,       // the first whole result is another one, between 0 and the right one, or 1
    kDropsTerm,   // of Add and Sub with a constant, only the other term
    kNoZero,      // of QuantizeLinear and DequantizeLinear, without the zero point
    kOtherTies,   // of equal numbers, ArgMax and TopK choose the one at the other end
  };
  std::string node = {};
  Kind kind = Kind::kScale;
  double limit = 0;
  // Not empty: nodes, each of which reads a result of the one before, that the engine has one
  // kernel for. The fault is in this kernel; alone, the nodes are right.
  std::vector<std::string> fused = {};
  // The engine has no such kernel where a result between these nodes is an output of the model.
  bool split_by_outputs = false;
};

const char* name_of(Fault::Kind kind);
// "scale:0.1@Mul_3", behind "|" the nodes of the kernel: "tile@Add_1|MatMul_0,Add_1,Relu_2".
// Throws Error.
Fault parse_fault(const std::string& text);
std::string text_of(const Fault& fault);

// Changes the node of that name in any graph; false: the node is missing, or cannot have this
// fault, or the nodes of the kernel are apart. Types of tensors are known where they are not
// float32.
bool plant(graphsurgeon::Model& model, const Fault& fault);

}  // namespace polygraphy
