// Takes the values out of a model's weights and keeps all else: for looking at, building and
// sharing a model without them.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// The marker of stripped weights: a stripped weight's doc string is the marker, a slash, and
// kSparseMarker if the values were 2:4 sparse (sparsity.h). The model's own doc string ends in the
// marker.
inline constexpr char kWeightlessMarker[] = "TRT_WEIGHTLESS";
inline constexpr char kSparseMarker[] = "SPARSE_2_4";

// The initializers of the main graph that would be stripped, in file order:
// - operands of Conv, ConvTranspose, Gemm and MatMul; also where a Transpose or a QuantizeLinear
//   and a DequantizeLinear stand between that nothing else uses;
// - data and indices of Gather and data of Slice, from 1024 elements on;
// - inputs of operators that the ONNX standard does not know.
// Never uint8, texts, sparse tensors, or names in `exclude`; warns of names in `exclude` that keep
// nothing. Reads no values. O(graph).
std::vector<TensorRef> find_strippable_weights(const Model& model,
                                               const std::set<std::string>& exclude,
                                               polygraphy::Logger& logger);

// Strips them: values and references to external data go, marks come. Reads values only as far as
// check_sparsity() needs them. Returns how many.
size_t strip_weights(Model& model, const std::set<std::string>& exclude,
                     polygraphy::Logger& logger);

}  // namespace graphsurgeon
