// Replaces a node with the contents of one of its bodies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Replaces the node at `position` of `graph`, which is the main graph of the model or nested in it,
// with:
//   If     `body` 0: the nodes of its then-branch; 1: of its else-branch
//   Loop   the nodes of its body, once, on the inputs of the first iteration
//   Scan   the same, on the first slices
// Outputs that collect a value per iteration get a leading axis of 1 if nodes read them; if they
// are only outputs of the model, they get none, and their shapes are dropped. infer_shapes() finds
// the types inside. Returns false, and changes nothing, if the node has no such body. O(model).
// `iteration`: the iteration number for a loop's body.
bool inline_body(graphsurgeon::Model& model, graphsurgeon::Graph& graph, size_t position,
                 size_t body, int64_t iteration = 0);

// Puts the nodes of the last of `count` iterations of a Loop behind a copy of it that runs the
// others; 1: inline_body(). False as there, and if a node reads an output that collects a value per
// iteration.
bool inline_last_iteration(graphsurgeon::Model& model, graphsurgeon::Graph& graph, size_t position,
                           int64_t count);

// Ends a Loop after this number of iterations.
void set_iterations(graphsurgeon::Graph& graph, graphsurgeon::Node& loop, int64_t count);

// The number of bodies: 2 for If, 1 for Loop and Scan, else 0.
size_t bodies_of(const graphsurgeon::Node& node);
// A body, and the name of its attribute: "else_branch". Null: the node lacks it.
graphsurgeon::GraphRef body_of(const graphsurgeon::Node& node, size_t body);
std::string_view name_of_body(const graphsurgeon::Node& node, size_t body);

}  // namespace polygraphy
