// The sweep of shape inference over the onnx library's messages: each node's inference function in
// turn, with our own view of the graph. Only for the sources of this folder.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace onnx {
class ModelProto;
}

namespace graphsurgeon {

// Version per domain, "" for the default one.
using Opsets = std::map<std::string, int64_t, std::less<>>;
Opsets opsets_of(const std::vector<OpsetImport>& imports);

struct TypeInferenceOptions {
  bool follow_values = true;  // data propagation
  bool check_types = false;   // also what the operators' type constraints say
};

// Adds what it finds to value_info, and to inputs and outputs, of the graph and its subgraphs;
// where what it finds contradicts what is declared, the latter stays. Returns a text per node that
// failed, except behind operators that are not known. Never fails as a whole.
std::vector<std::string> infer_types(onnx::ModelProto& model, const Opsets& opsets,
                                     const TypeInferenceOptions& options);

}  // namespace graphsurgeon
