// A model that computes as an engine of a coarser format must: every result is rounded to it.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy {

struct NoiseOptions {
  NumberFormat format = NumberFormat::kFloat16;
  // true: rounds stochastically; false: to nearest, the same each time (rounding.h). float32 holds
  // all of its numbers, so it has stochastic noise only.
  bool stochastic = true;
  int64_t seed = 0;
  // Stochastic: rounding activations to the numbers of a DequantizeLinear counts, too. Of weights,
  // with_moved_weights() does.
  bool quantization = false;
  // Stochastic: rounding inputs of DynamicQuantizeLinear to steps of other inputs counts, too.
  // An input of MatMulNBits of accuracy_level 4, which allows int8, always moves by steps.
  bool dynamic_steps = false;
  // Outputs of a decoder that are its caches: numbers that these round count as the next step reads
  // them.
  std::vector<std::string> caches = {};
  // Nodes of the main graph, by position, that compute in their own type: tensors between them, and
  // their weights, are not rounded.
  std::unordered_set<size_t> exact_nodes = {};
  // Multiples of the noise of a tensor of the main graph in float32, for sums in another order
  // (their terms move as far); 1 for other tensors.
  std::unordered_map<std::string, double> factors = {};
  // Shapes that inputs have in all runs, by name: noise of tensors with known shapes costs less.
  std::unordered_map<std::string, Shape> input_shapes = {};
  // Numbers of elements that tensors of the main graph have in all runs, by name; empty: inferred
  // from the shapes of the inputs. A tensor gets the same noise in a part of the model if it has
  // the same size there.
  std::unordered_map<std::string, int64_t> sizes = {};
};

// A copy of the model, sharing unchanged parts, in which nodes that round stand behind each node of
// the main graph and of the graphs nested in it that computes floating-point numbers (moving and
// choosing numbers makes no new ones; sums of integers stay as wide as they are), and in which
// weights are rounded to nearest. Computation inside of a node is as wide as the operator's. The
// model's inputs are as they are: round_to() rounds feeds. Types are inferred; a result of unknown
// type is not rounded. Runs in any engine that has Cast, Mul and RandomUniformLike, and for large
// tensors of known shapes, which share random numbers, Tile, Slice and Reshape. Throws Error
// where the model's opset cannot say the format (float8: 19). O(model), and the bytes of the
// weights.
graphsurgeon::Model noisy_model(const graphsurgeon::Model& model, const NoiseOptions& options);

}  // namespace polygraphy
