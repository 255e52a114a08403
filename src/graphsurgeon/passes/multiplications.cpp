#include "graphsurgeon/passes/multiplications.h"

#include "graphsurgeon/operators/operator_facts.h"

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

}  // namespace

double multiplications(const Node& node) {
  const OperatorFacts& facts = facts_of(node);
  if (facts.layout == WeightLayout::kNone || facts.computes_with_codes() ||
      node.inputs().size() < 2 || node.outputs().size() != 1) {
    return 0;
  }
  const auto a = node.inputs()[0]->shape(), b = node.inputs()[1]->shape(),
             y = node.outputs()[0]->shape();
  if (!a || !b || !y || a->empty() || b->empty()) return 0;
  if (facts.layout == WeightLayout::kMatrix)
    return product(*y) * size_of(summed_axis(node, 0) == -2 ? a->front() : a->back());
  // Each output sums over a window of the weights; each input of a ConvTranspose adds to one.
  return product(facts.layout == WeightLayout::kOutputsFirst ? *y : *a) * product(*b, 1);
}

}  // namespace graphsurgeon
