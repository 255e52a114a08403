// The sweep of shape inference over the onnx library's messages. Only for the sources of this
// folder.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace onnx {
class ModelProto;
}

namespace graphsurgeon {

// Version per domain, "" for the default one.
using Opsets = std::map<std::string, int64_t, std::less<>>;

// Adds what it finds to value_info, and to inputs and outputs, of the graph and its subgraphs.
// Returns a text per node that failed.
std::vector<std::string> infer_types(onnx::ModelProto& model, const Opsets& opsets,
                                     bool data_propagation);

}  // namespace graphsurgeon
