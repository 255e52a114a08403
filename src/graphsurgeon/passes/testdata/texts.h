// For the tests of passes: models in and out as text.
#pragma once

#include <string>
#include <vector>

#include "graphsurgeon/onnx/onnx_text.h"
#include "graphsurgeon/passes/tensor_lookup.h"

namespace graphsurgeon {

// The text of the main graph and the functions, without the model's header and the line end.
inline std::string graph_text(const Model& model) {
  std::string text = to_onnx_text(model);
  text.erase(0, text.find("\n>\n") + 3);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  // The library's printer leaves a blank where it breaks a line, and one for a type not known.
  for (size_t at = 0; (at = text.find(" \n", at)) != std::string::npos;) text.erase(at, 1);
  for (size_t at = 0; (at = text.find("( ", at)) != std::string::npos;) text.erase(at + 1, 1);
  return text;
}

inline std::vector<TensorRef> find_all(const Model& model, const std::vector<std::string>& names) {
  const TensorLookup tensors(*model.graph);
  std::vector<TensorRef> found;
  for (const std::string& name : names) found.emplace_back(&tensors.get(name));
  return found;
}

}  // namespace graphsurgeon
