// The copy of a model for the onnx library: structure and small values, no payloads. Only
// for the sources of this folder (the onnx library's own headers stay out of ours).
#pragma once

#include <cstdint>
#include <string>

#include "graphsurgeon/ir/graph.h"

namespace onnx {
class ModelProto;
}

namespace graphsurgeon {

// Stands for the file of payloads that were left out. The library's checker does not look for a
// file with this beginning.
inline constexpr char kStrippedLocation[] = "#stripped";

// Values up to this size stay: shapes, axes, scales and the like, which shape inference reads.
inline constexpr int64_t kKeptBytes = 1024;

// Fills `out`. O(structure). Throws Error when the structure alone passes 2 GiB.
void to_stripped_proto(const Model& model, onnx::ModelProto& out);

// The other way, for messages made here: the model owns the bytes. `name` stands for the file in
// messages.
Model from_proto(const onnx::ModelProto& proto, const std::string& name);

// "model.onnx", or "model" when it was made in memory.
std::string display_name(const Model& model);

}  // namespace graphsurgeon
