// Objects as text for messages and debuggers, as the original prints them. The text form of whole
// models is onnx/onnx_text.h.
#pragma once

#include <string>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// "Variable (x): (shape=[1, 'N', None], dtype=float32)", "Constant (w): (shape=[2], dtype=int64)":
// one line, values untouched.
std::string to_text(const Tensor& tensor);
// "name (Op)", then inputs, outputs, attributes and domain on separate lines; tensors and graphs in
// attributes without their contents.
std::string to_text(const Node& node);
// Name, inputs, nodes and outputs.
std::string to_text(const Graph& graph);

}  // namespace graphsurgeon
