// Attention layers in a graph.
#pragma once

#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/models/sharding/suggest_shard_hints.h"

namespace polygraphy {

// An input of a node.
struct Use {
  graphsurgeon::Node* node = nullptr;
  size_t slot = 0;

  graphsurgeon::Tensor& tensor() const { return *node->inputs()[slot]; }
};

struct AttentionLayer {
  Use q, k, v;
  graphsurgeon::NodeRef scores, softmax, context;  // MatMul, Softmax, MatMul
  // The nodes between those, from the scores to the context.
  std::vector<graphsurgeon::NodeRef> between;
};

// Layers of the main graph, by the position of the queries' first consumer. O(graph).
std::vector<AttentionLayer> find_attention_layers(const graphsurgeon::Graph& graph,
                                                  AttentionPattern pattern);

}  // namespace polygraphy
