#include "polygraphy/diagnosis/locate/models/tensor_partners.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/arrays/array.h"
#include "base/log.h"
#include "graphsurgeon/diff/alignment.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/onnx/shape_inference.h"

namespace polygraphy {
namespace {

using graphsurgeon::Alignment;
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

// Two halves of a tensor are nodes of one structure: they differ only in the whole numbers that
// they read, such as where a Slice begins.
bool same_whole_numbers(const Node& a, const Node& b) {
  constexpr int64_t kFew = 64;
  if (a.op() != b.op()) return true;
  const graphsurgeon::TensorList &there = a.inputs(), &here = b.inputs();
  for (size_t k = 0; k < std::min(there.size(), here.size()); ++k) {
    if (!there[k]->is_constant() || !here[k]->is_constant()) continue;
    if (there[k]->dtype() != DataType::kInt64 || here[k]->dtype() != DataType::kInt64) continue;
    const auto &their = *there[k]->payload(), &our = *here[k]->payload();
    if (std::max(their.size(), our.size()) > kFew) continue;
    if (!bitwise_equal(their.load(there[k]->name()), our.load(here[k]->name()))) return false;
  }
  return true;
}

// Whether the partner of a tensor is not `other`, and nodes of one operator make both.
bool is_elsewhere(const Tensor* partner, const Tensor& other, const Tensor& tensor) {
  if (!partner || partner == &other) return false;
  const Node *a = partner->producer(), *b = tensor.producer();
  return a && b && a->op() == b->op();
}

class Partners {
 public:
  Partners(const Model& reference, const Model& model)
      : reference_(with_types(reference)), model_(with_types(model)) {}

  std::unordered_map<std::string, std::string> find() {
    const bool names = !graphsurgeon::names_contradict(*reference_.graph, *model_.graph);
    graphsurgeon::TensorPairs pairs;
    for (const TensorRef& input : model_.graph->inputs()) {
      if (const Tensor* there = named(reference_.graph->inputs(), input->name()))
        add(*there, *input);
    }
    for (const TensorRef& output : model_.graph->outputs()) {
      if (const Tensor* there = named(reference_.graph->outputs(), output->name()))
        add(*there, *output);
    }
    const Alignment nodes =
        graphsurgeon::align(*reference_.graph, *model_.graph, {.names = names}, pairs);
    if (names) add_by_name(pairs);
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
  // Names of inputs and outputs always count: users feed and read by them.
  template <typename Tensors>
  static const Tensor* named(const Tensors& tensors, std::string_view name) {
    const auto found = std::ranges::find_if(
        tensors, [&](const TensorRef& tensor) { return tensor->name() == name; });
    return found == tensors.end() ? nullptr : found->get();
  }

  // Without those that nodes of one operator make of which the alignment says otherwise: names of
  // nodes count more.
  void add_by_name(const graphsurgeon::TensorPairs& pairs) {
    const auto tensors = reference_.graph->tensor_map();
    for (const auto& [name, tensor] : model_.graph->tensor_map()) {
      const auto found = tensors.find(name);
      if (found == tensors.end()) continue;
      if (is_elsewhere(pairs.in_b(*found->second), *tensor, *found->second) ||
          is_elsewhere(pairs.in_a(*tensor), *found->second, *tensor))
        continue;
      add(*found->second, *tensor);
    }
  }

  template <typename Use>
  void for_aligned(const Alignment& nodes, Use use) {
    for (size_t i = 0; i < nodes.to_b.size(); ++i) {
      if (nodes.to_b[i] == Alignment::kNone) continue;
      const Node& a = *reference_.graph->nodes()[i];
      const Node& b = *model_.graph->nodes()[nodes.to_b[i]];
      if (same_whole_numbers(a, b)) use(a, b);
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
