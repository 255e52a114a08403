// Where a node comes from in the program that was exported.
#pragma once

#include <string>

#include "graphsurgeon/ir/node.h"

namespace graphsurgeon {

struct ExporterNotes {
  std::string module;  // "layers.3.mlp.down_proj"
  std::string source;  // "/home/me/model.py:12": the innermost line outside of torch
};

// From the metadata that torch.onnx.export writes into the node; empty without it. O(metadata).
ExporterNotes exporter_notes(const Node& node);

}  // namespace graphsurgeon
