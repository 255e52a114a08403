#include "graphsurgeon/passes/multiplications.h"

#include "graphsurgeon/ir/domain.h"

namespace graphsurgeon {
namespace {

double size_of(const Dim& dim) {
  return dim.is_static() ? static_cast<double>(dim.value()) : 1.0;
}

double product(const DimList& dims, size_t from = 0) {
  double result = 1;
  for (size_t i = from; i < dims.size(); ++i) result *= size_of(dims[i]);
  return result;
}

bool is_set(const Node& node, std::string_view name) {
  const Attribute* attribute = node.attribute(name);
  const auto* value = attribute ? std::get_if<int64_t>(&attribute->value) : nullptr;
  return value && *value != 0;
}

}  // namespace

double multiplications(const Node& node) {
  if (!normalized_domain(node.domain()).empty() || node.inputs().size() < 2 ||
      node.outputs().size() != 1) {
    return 0;
  }
  const auto a = node.inputs()[0]->shape(), b = node.inputs()[1]->shape(),
             y = node.outputs()[0]->shape();
  if (!a || !b || !y || a->empty() || b->empty()) return 0;
  if (node.op() == "MatMul") return product(*y) * size_of(a->back());
  if (node.op() == "Gemm")
    return product(*y) * size_of(is_set(node, "transA") ? a->front() : a->back());
  // Each output sums over a window of the weights; each input of a ConvTranspose adds to one.
  if (node.op() == "Conv") return product(*y) * product(*b, 1);
  if (node.op() == "ConvTranspose") return product(*a) * product(*b, 1);
  return 0;
}

}  // namespace graphsurgeon
