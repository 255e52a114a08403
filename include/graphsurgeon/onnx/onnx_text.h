// ONNX's text form of models ("Syntax" in the onnx project's docs): short to write in tests, good
// to read in a diff.
#pragma once

#include <string>
#include <string_view>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// `<ir_version: 10, opset_import: ["" : 20]> agraph (float[N] x) => (float[N] y) { y = Relu(x) }`,
// functions behind the graph. Without the part in angle brackets: IR version 10 and opset 20.
// Throws FormatError with line and column.
Model parse_onnx_text(std::string_view text);

// The same form; payloads beyond 1 KiB appear as references to external data.
std::string to_onnx_text(const Model& model);

}  // namespace graphsurgeon
