// The weights of a model that can be quantised.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/arrays/array.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

struct SiteNode {
  size_t position = 0;  // in the main graph
  std::string name;
  size_t weight_slot = 0;
  size_t activation_slot = 0;
  std::string activation;  // the node's other factor; empty: none that can be rounded
};

// A constant weight with the nodes that multiply by it in the same way.
struct Site {
  std::string weight, op;
  Shape shape;
  DataType dtype = DataType::kUndefined;
  int64_t channel_axis = 0, reduced_axis = 0;
  // Of a node with several weights: which one, from 1 on. Experts are side by side on its axis 0,
  // each with its own channels. 0: the node has one weight.
  size_t part = 0;
  bool shared = false;  // read otherwise, too: the model keeps it in floating point
  std::vector<SiteNode> nodes;

  // Known once the layer is quantised: its weight in floating point and as its nodes read it then,
  // both of `dtype`, and whether they read their other factors rounded.
  Array original = {}, rounded = {};
  bool rounds_input = false;
  int64_t quantized_bytes = 0;
  // In a model that is quantised already: its nodes, and whether the weight lies the other way
  // round there.
  std::vector<size_t> quantized_nodes = {};
  bool transposed = false;
};

// The axis of a weight in this slot that a node sums along: of a product of matrices, a
// convolution, or their quantised forms.
int64_t reduced_axis(const graphsurgeon::Node& node, size_t slot, int64_t rank);

// Products of matrices, convolutions and MoE (com.microsoft) nodes of the main graph with constant
// float32, float16 or bfloat16 weights, and with `embeddings` Gather nodes; in the order of their
// first nodes. Of nodes with one weight but other axes, each form is a site. O(nodes).
std::vector<Site> find_sites(const graphsurgeon::Model& model, bool embeddings);

// Some layers are experts. Their inputs are never quantised, and a note of the result says so.
bool any_experts(const std::vector<Site>& sites);
inline constexpr std::string_view kExpertInputsStay =
    "Inputs of experts (MoE) are not quantised: weights only";

// Such weights of nodes in the bodies of If, Loop and Scan, which are not sites. O(nodes).
int64_t nodes_in_bodies(const graphsurgeon::Model& model, bool embeddings);

}  // namespace polygraphy
