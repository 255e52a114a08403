#include "polygraphy/diagnosis/locate/measuring/measure_sums.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "graphsurgeon/ir/node_inputs.h"
#include "graphsurgeon/operators/operator_facts.h"
#include "polygraphy/diagnosis/locate/judging/reduction_length.h"
#include "polygraphy/diagnosis/locate/judging/step_results.h"

namespace polygraphy {
namespace {

// Ends at the first that differs.
bool all_equal(const Array& numbers) {
  if (!is_floating(numbers.dtype()) || bit_width(numbers.dtype()) < 8 || numbers.size() < 2)
    return false;
  const Array all = numbers.contiguous_aligned(1);
  const std::span<const std::byte> bytes = all.bytes();
  const auto size = static_cast<size_t>(bit_width(numbers.dtype()) / 8);
  return std::memcmp(bytes.data(), bytes.data() + size, bytes.size() - size) == 0;
}

// Errors of equal terms add up instead of cancelling each other: the difference of sums grows with
// their length, and blocks of eight or more are added side by side.
double length_of_equal_terms(double length) {
  return std::max(length, length * length / 64);
}

}  // namespace

void measure_sums(const WholeModel& model, size_t position,
                  const std::function<const Array*(const std::string&)>& reference,
                  Measurements& measurements) {
  const NodeFacts& facts = model.nodes()[position];
  const graphsurgeon::Node& node = *model.model().graph->nodes()[position];
  std::vector<const Shape*> inputs;
  for (const graphsurgeon::Tensor* input : node.inputs()) {
    const Array* value = reference(std::string(input->name()));
    inputs.push_back(input->is_constant() ? &input->payload()->shape()
                     : value              ? &value->shape()
                                          : nullptr);
  }
  const graphsurgeon::OperatorFacts& row = facts_of(node);
  const bool multiplies =
      row.layout != graphsurgeon::WeightLayout::kNone && !row.computes_with_codes();
  const graphsurgeon::Tensor* weight =
      multiplies ? graphsurgeon::input_at(node, static_cast<size_t>(row.weight)) : nullptr;
  bool equal_terms = false;
  if (weight) {
    const Array* computed = reference(std::string(weight->name()));
    equal_terms =
        weight->is_constant() ? all_equal(weight->values()) : computed && all_equal(*computed);
  }
  double longest = 1, least_exact = 1;
  bool floats = false;
  for (const std::string& name : facts.reads) {
    const Array* read_value = reference(name);
    floats |= read_value && is_floating(read_value->dtype());
    const auto read = measurements.find(name);
    if (read == measurements.end()) continue;
    longest = std::max(longest, read->second.longest_sum);
    least_exact = std::max(least_exact, read->second.least_exact);
  }
  for (const std::string& name : facts.makes) {
    const Array* value = reference(name);
    if (!value) continue;
    TensorMeasurement& measured = measurements[name];
    measured.counts_floats = floats && is_integral(value->dtype()) && !reads_shapes_only(node);
    measured.sum_length = reduction_length(node, inputs, value->shape());
    if (equal_terms) measured.sum_length = length_of_equal_terms(measured.sum_length);
    measured.longest_sum = std::max(longest, measured.sum_length);
    measured.algorithm = algorithm_error(node, inputs);
    measured.least_exact = std::max(least_exact, measured.algorithm);
  }
}

}  // namespace polygraphy
