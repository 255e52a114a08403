#include "graphsurgeon/ir/object_text.h"

#include "base/arrays/py_repr.h"

namespace graphsurgeon {

namespace {

std::string type_text(DataType type) {
  if (type == DataType::kUndefined) return "None";
  const std::string_view name = polygraphy::name_of(type);
  return name.empty() ? std::to_string(static_cast<int32_t>(type)) : std::string(name);
}

std::string shape_text(const std::optional<DimList>& shape) {
  if (!shape) return "None";
  std::string text = "[";
  for (const Dim& dim : *shape) {
    if (text.size() > 1) text += ", ";
    if (dim.has_value()) {
      text += std::to_string(dim.value());
    } else {
      text += dim.param().empty() ? "None" : polygraphy::py_str_repr(dim.param());
    }
  }
  return text + ']';
}

struct ValueText {
  std::string operator()(std::monostate) const { return "?"; }
  std::string operator()(float v) const { return polygraphy::py_float_repr(v); }
  std::string operator()(int64_t v) const { return std::to_string(v); }
  std::string operator()(std::string_view v) const { return polygraphy::py_str_repr(v); }
  std::string operator()(const TensorValue& v) const {
    if (!v.values) return "Tensor";
    return "Tensor (shape=" + polygraphy::py_list_repr(v.values->shape()) +
           ", dtype=" + type_text(v.values->dtype()) + ')';
  }
  std::string operator()(const GraphRef& v) const {
    return v ? "Graph " + std::string(v->name()) : "Graph";
  }
  template <typename T>
  std::string operator()(const std::vector<T>& list) const {
    std::string text = "[";
    for (const T& v : list) text += (text.size() > 1 ? ", " : "") + (*this)(v);
    return text + ']';
  }
};

template <typename List>
void put_tensors(std::string& text, const char* what, const List& tensors) {
  text += std::string("\n\t") + what + ": [";
  for (const Tensor* tensor : tensors) text += "\n\t\t" + to_text(*tensor);
  text += "\n\t]";
}

std::string list_text(const std::vector<TensorRef>& tensors) {
  std::string text = "[";
  for (const TensorRef& tensor : tensors) {
    text += (text.size() > 1 ? ", " : "") + to_text(*tensor);
  }
  return text + ']';
}

}  // namespace

std::string to_text(const Tensor& tensor) {
  return std::string(tensor.is_constant() ? "Constant" : "Variable") + " (" +
         std::string(tensor.name()) + "): (shape=" + shape_text(tensor.shape()) +
         ", dtype=" + type_text(tensor.dtype()) + ')';
}

std::string to_text(const Node& node) {
  std::string text = std::string(node.name()) + " (" + std::string(node.op()) + ')';
  put_tensors(text, "Inputs", node.inputs());
  put_tensors(text, "Outputs", node.outputs());
  if (!node.attributes().empty()) {
    std::string attributes;
    for (const Attribute& a : node.attributes()) {
      attributes += attributes.empty() ? "{" : ", ";
      attributes += polygraphy::py_str_repr(a.name) + ": ";
      attributes += a.ref_attr_name.empty()
                        ? std::visit(ValueText(), a.value)
                        : "AttributeRef(" + polygraphy::py_str_repr(a.ref_attr_name) + ')';
    }
    text += "\nAttributes: " + attributes + '}';
  }
  if (!node.domain().empty()) text += "\nDomain: " + std::string(node.domain());
  return text;
}

std::string to_text(const Graph& graph) {
  std::string text = "Graph " + std::string(graph.name());
  text += "\nInputs: " + list_text(graph.inputs()) + "\nNodes: ";
  bool first = true;
  for (const NodeRef& node : graph.nodes()) {
    if (!first) text += '\n';
    first = false;
    text += to_text(*node);
  }
  return text + "\nOutputs: " + list_text(graph.outputs());
}

}  // namespace graphsurgeon
