#include "graphsurgeon/onnx/node_inference.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "graphsurgeon/onnx/inference/type_inference.h"
#include "graphsurgeon/onnx/inference/value_message.h"

namespace graphsurgeon {

struct NodeInference::Impl {
  Impl(const Model& model, polygraphy::Logger& logger)
      : inference(model, opsets_of(model, logger), {}) {}

  std::string infer(const Node& node, const Function* function) {
    inference.infer(node, function);
    auto& problems = inference.problems();
    if (problems.empty()) return {};
    std::string text = polygraphy::join(std::span<const std::string>(problems), "\n");
    problems.clear();
    return text;
  }

  TypeInference inference;
  DimList scratch;
};

NodeInference::NodeInference(Model& model, polygraphy::Logger& logger)
    : impl_(std::make_unique<Impl>(model, logger)) {}
NodeInference::~NodeInference() = default;

std::string NodeInference::infer(Node& node) {
  return impl_->infer(node, nullptr);
}

std::string NodeInference::infer(Node& node, const Function& function) {
  return impl_->infer(node, &function);
}

void NodeInference::name_dims(const Tensor& input, const DimList& names) {
  impl_->inference.body().name_dims(input, names);
}

const DimList* NodeInference::elements(const Tensor& tensor) {
  if (!tensor.is_constant() && tensor.dtype() != DataType::kUndefined &&
      !polygraphy::is_integral(tensor.dtype()) && tensor.dtype() != DataType::kBool) {
    return nullptr;
  }
  const DimList* elements = impl_->inference.body().elements(tensor, impl_->scratch);
  if (elements == nullptr) {
    elements = impl_->inference.other_body().elements(tensor, impl_->scratch);
  }
  if (elements == nullptr || tensor.is_constant()) return elements;
  const bool all_unknown = std::all_of(elements->begin(), elements->end(),
                                       [](const Dim& element) { return element == Dim(); });
  if (all_unknown && !elements->empty()) return nullptr;
  // Inference functions may follow the values of other ranks, too.
  const DimList* shape = tensor.declared_shape();
  if (shape == nullptr) return elements;
  const bool fits = shape->empty()
                        ? elements->size() == 1
                        : shape->size() == 1 &&
                              (!shape->front().is_static() ||
                               shape->front().value() == static_cast<int64_t>(elements->size()));
  return fits ? elements : nullptr;
}

std::optional<KnownValues> NodeInference::known_values(const Tensor& tensor) {
  auto values = impl_->inference.body().known_values(tensor);
  const auto says_nothing = [](const KnownValues& all) {
    return std::all_of(all.elements.begin(), all.elements.end(),
                       [](const Dim& element) { return element == Dim(); });
  };
  if (values && !says_nothing(*values)) return values;
  auto others = impl_->inference.other_body().known_values(tensor);
  return others ? others : values;
}

SizeAlgebra& NodeInference::sizes() {
  return impl_->inference.sizes();
}

void NodeInference::set_elements(Tensor& tensor, DimList elements) {
  if (elements.size() > static_cast<size_t>(kMostElements)) return;
  impl_->inference.body().set_elements(tensor, std::move(elements));
}

}  // namespace graphsurgeon
