// Infers the types and shapes of tensors from the graph's inputs. The inference functions of the
// operators are the onnx library's; the sweep over the nodes is ours.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

struct InferOptions {
  // Follow the values of small integer tensors (results of Shape, Gather, Concat …), so that shapes
  // made of them are known.
  bool data_propagation = true;
};

struct InferResult {
  size_t changed = 0;  // number of refinements of a tensor's type or shape
  // One line per node on which inference failed: "m.onnx: node 'mul' (MatMul): …".
  std::vector<std::string> problems;
};

// One sweep over the graph. Writes the results into the tensors of the graph and its subgraphs:
// types, ranks, dimensions, fresh names ("unk__0") for dimensions that are equal wherever they
// appear. Inference refines declarations and never contradicts them: a declared type or dimension
// stays. It never fails on a loaded model: a node of an unknown operator, or one that contradicts
// its declared types, leaves its outputs unchanged; `problems` lists the latter. A model without
// new information stays untouched(). O(nodes), local functions once per call. Values are read up to
// 1 KiB each, from data files too.
InferResult infer_shapes(Model& model, const InferOptions& options, polygraphy::Logger& logger);

}  // namespace graphsurgeon
