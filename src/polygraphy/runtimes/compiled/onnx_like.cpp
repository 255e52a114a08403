#include "polygraphy/runtimes/compiled/onnx_like.h"

#include <string>
#include <string_view>
#include <unordered_map>

#include "graphsurgeon/ir/arg.h"
#include "graphsurgeon/ir/make.h"
#include "graphsurgeon/ir/node.h"

namespace polygraphy {
namespace {

using graphsurgeon::Arg;

constexpr const char* kNone = "None";

template <typename T>
Arg list_of(const std::vector<T>& values) {
  return values.empty() ? Arg(kNone) : Arg(values);
}

struct ToArg {
  Arg operator()(int64_t value) const { return value; }
  Arg operator()(double value) const { return value; }
  Arg operator()(bool value) const { return value; }
  Arg operator()(const std::string& value) const { return value; }
  Arg operator()(const LayerAttribute::Enumerator& value) const { return value.name; }
  Arg operator()(const LayerAttribute::Dims& value) const { return list_of(value.sizes); }
  Arg operator()(const LayerAttribute::Permutation& value) const { return list_of(value.order); }
  Arg operator()(const std::vector<double>& value) const { return list_of(value); }
  Arg operator()(const LayerAttribute::Object& value) const { return value.name; }
  Arg operator()(const LayerAttribute::Weights& value) const {
    return value.values.empty() ? Arg(kNone) : Arg(value.values);
  }
};

class OnnxLike {
 public:
  explicit OnnxLike(const NetworkDescription& network)
      : model_(graphsurgeon::make_model({.name = network.name})) {
    for (const auto& [name, info] : network.inputs)
      model_.graph->mutable_inputs().push_back(tensor(name, info));
    for (const auto& [name, info] : network.outputs)
      model_.graph->mutable_outputs().push_back(tensor(name, info));
    for (const NetworkLayer& layer : network.layers) add(layer);
  }

  graphsurgeon::Model take() { return std::move(model_); }

 private:
  const graphsurgeon::TensorRef& tensor(const std::string& name, const TensorInfo& info) {
    graphsurgeon::TensorRef& known = tensors_[name];
    if (!known) {
      known = model_.graph->variable(name, info.dtype);
      if (info.shape) known->set_shape(*info.shape);
    }
    return known;
  }

  void add(const NetworkLayer& layer) {
    const graphsurgeon::NodeRef node =
        graphsurgeon::Node::create(model_.graph->store(), layer.type, layer.name);
    for (const auto& [name, info] : layer.inputs) node->inputs().append(tensor(name, info));
    for (const auto& [name, info] : layer.outputs) node->outputs().append(tensor(name, info));
    // The kind of an activation or a pooling.
    if (layer.op != "LayerType." + layer.type)
      node->set_attribute("type", layer.op.substr(layer.op.find('.') + 1));
    for (const LayerAttribute& attribute : layer.attributes)
      node->set_attribute(attribute.name, std::visit(ToArg(), attribute.value));
    model_.graph->append(node);
  }

  graphsurgeon::Model model_;
  std::unordered_map<std::string, graphsurgeon::TensorRef> tensors_;
};

}  // namespace

graphsurgeon::Model onnx_like_from_network(const NetworkDescription& network) {
  return OnnxLike(network).take();
}

}  // namespace polygraphy
