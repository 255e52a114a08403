#include "polygraphy/diagnosis/locate/models/tensor_partners.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/diff/alignment.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/onnx/shape_inference.h"

namespace polygraphy {
namespace {

using graphsurgeon::Alignment;
using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

// Types and ranks decide which tensors may be partners.
Model with_types(const Model& model) {
  Model typed = graphsurgeon::copy(model);
  Logger quiet;
  graphsurgeon::infer_shapes(typed, {}, quiet);
  return typed;
}

bool may_be_partners(const Tensor& reference, const Tensor& tensor) {
  for (const Tensor* one : {&reference, &tensor}) {
    if (one->is_empty() || one->is_constant()) return false;
  }
  // Engines return what a node makes, and no inputs.
  if ((reference.producer() == nullptr) != (tensor.producer() == nullptr)) return false;
  const DataType a = reference.dtype(), b = tensor.dtype();
  const bool known = a != DataType::kUndefined && b != DataType::kUndefined;
  if (known && a != b && !(is_floating(a) && is_floating(b))) return false;
  return !reference.shape() || !tensor.shape() ||
         reference.shape()->size() == tensor.shape()->size();
}

class Partners {
 public:
  Partners(const Model& reference, const Model& model)
      : reference_(with_types(reference)), model_(with_types(model)) {}

  std::unordered_map<std::string, std::string> find() {
    add_by_name();
    graphsurgeon::TensorPairs pairs;
    const Alignment nodes = graphsurgeon::align(*reference_.graph, *model_.graph, {}, pairs);
    for_aligned(nodes, [&](const Node& a, const Node& b) { add_all(a.outputs(), b.outputs()); });
    for_aligned(nodes, [&](const Node& a, const Node& b) {
      if (a.op() == b.op()) add_all(a.inputs(), b.inputs());
    });
    for (const TensorRef& input : model_.graph->inputs()) {
      if (const Tensor* there = pairs.in_a(*input)) add(*there, *input);
    }
    const auto &there = reference_.graph->outputs(), &here = model_.graph->outputs();
    if (there.size() == here.size()) {
      for (size_t i = 0; i < here.size(); ++i) add(*there[i], *here[i]);
    }
    return std::move(found_);
  }

 private:
  void add_by_name() {
    const auto tensors = reference_.graph->tensor_map();
    for (const auto& [name, tensor] : model_.graph->tensor_map()) {
      const auto found = tensors.find(name);
      if (found != tensors.end()) add(*found->second, *tensor);
    }
  }

  template <typename Use>
  void for_aligned(const Alignment& nodes, Use use) {
    for (size_t i = 0; i < nodes.to_b.size(); ++i) {
      if (nodes.to_b[i] == Alignment::kNone) continue;
      use(*reference_.graph->nodes()[i], *model_.graph->nodes()[nodes.to_b[i]]);
    }
  }

  void add_all(const graphsurgeon::TensorList& there, const graphsurgeon::TensorList& here) {
    for (size_t k = 0; k < std::min(there.size(), here.size()); ++k) add(*there[k], *here[k]);
  }

  void add(const Tensor& reference, const Tensor& tensor) {
    const std::string name(tensor.name());
    if (found_.contains(name) || !may_be_partners(reference, tensor)) return;
    if (taken_.insert(&reference).second) found_.emplace(name, reference.name());
  }

  const Model reference_, model_;
  std::unordered_map<std::string, std::string> found_;
  std::unordered_set<const Tensor*> taken_;  // of the reference
};

}  // namespace

std::unordered_map<std::string, std::string> tensor_partners(const Model& reference,
                                                             const Model& model) {
  return Partners(reference, model).find();
}

}  // namespace polygraphy
