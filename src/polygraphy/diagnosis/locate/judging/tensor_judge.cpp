#include "polygraphy/diagnosis/locate/judging/tensor_judge.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>

namespace polygraphy {
namespace {

using graphsurgeon::Node;
using graphsurgeon::Tensor;

// Operators whose indices depend on all numbers at once. Sorted.
constexpr std::string_view kSelecting[] = {"NonMaxSuppression", "NonZero", "Unique"};

template <size_t Count>
bool is_among(const std::string_view (&names)[Count], std::string_view name) {
  return std::binary_search(std::begin(names), std::end(names), name);
}

// The part by which an engine of the format moves a number of this type when it reads it.
double reading(NumberFormat format, DataType type) {
  const auto own = coarser(NumberFormat::kFloat32, type), here = coarser(format, type);
  if (!own || !here || significant_digits(*here) >= significant_digits(*own)) return 0;
  return std::ldexp(1.0, -significant_digits(*here));
}

// The same indices in another order.
bool same_indices(const Array& a, const Array& b) {
  if (a.shape() != b.shape()) return false;
  std::vector<int64_t> one, other;
  for (int64_t i = 0; i < a.size(); ++i) {
    one.push_back(a.get_int64(i));
    other.push_back(b.get_int64(i));
  }
  std::sort(one.begin(), one.end());
  std::sort(other.begin(), other.end());
  return one == other;
}

}  // namespace

TensorJudge::TensorJudge(const WholeModel& model, NumberFormat format, double threshold,
                         Values values, Noises noises)
    : model_(model),
      format_(format),
      threshold_(threshold),
      values_(std::move(values)),
      noises_(std::move(noises)) {
  for (const auto& node : model_.model().graph->nodes()) {
    for (size_t i = 0; i < node->outputs().size(); ++i)
      makers_[std::string(node->outputs()[i]->name())] = {node.get(), i};
  }
}

JudgedError TensorJudge::judge(const std::string& tensor, const Array& reference,
                               const Array& observed, const JudgedPlace& place,
                               bool* by_tie) const {
  JudgedError judged = judged_error(reference, observed, format_, place.noise, place.accumulation);
  const auto maker = makers_.find(tensor);
  if (judged.error.exact || maker == makers_.end()) return judged;
  judge_steps(*maker->second.first, maker->second.second, reference, observed, place, judged,
              by_tie);
  return judged;
}

std::vector<std::string> TensorJudge::decided_by(const std::string& tensor) const {
  std::vector<std::string> names;
  const auto maker = makers_.find(tensor);
  if (maker == makers_.end() || !is_step(maker->second.first->op())) return names;
  for (const Tensor* input : maker->second.first->inputs()) {
    if (!input->is_empty() && !input->is_constant()) names.emplace_back(input->name());
  }
  return names;
}

std::vector<StepInput> TensorJudge::inputs_of(const Node& node, const JudgedPlace& place) const {
  std::vector<StepInput> inputs;
  for (const Tensor* input : node.inputs()) {
    StepInput one;
    const std::string name(input->name());
    if (input->is_empty()) {
      inputs.push_back(one);
      continue;
    }
    one.values = values_(place.sample, name, place.inputs);
    if (one.values) {
      one.relative = reading(format_, one.values->dtype());
      one.exact = place.inputs == JudgedInputs::kGiven ||
                  (place.inputs == JudgedInputs::kOfTarget && place.exact_inputs);
      const Noise* noise =
          place.inputs != JudgedInputs::kGiven ? noises_(place.sample, name) : nullptr;
      if (noise) {
        one.distance = threshold_ * noise->largest;
        if (noise->of_elements.size() == one.values->size()) one.noises = &noise->of_elements;
      }
    }
    inputs.push_back(one);
  }
  return inputs;
}

void TensorJudge::judge_steps(const Node& node, size_t output, const Array& reference,
                              const Array& observed, const JudgedPlace& place, JudgedError& judged,
                              bool* by_tie) const {
  const bool steps = is_step(node.op());
  const bool selects = is_among(kSelecting, node.op());
  if ((!steps && !selects) || format_ == NumberFormat::kInt8) return;
  std::vector<StepInput> inputs = inputs_of(node, place);
  std::vector<Array> weights;
  weights.reserve(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Tensor* input = node.inputs()[i];
    if (inputs[i].values || !input->is_constant()) continue;
    weights.push_back(input->values());
    inputs[i].values = &weights.back();
  }
  if (node.op() == "NonMaxSuppression" && names_nothing(inputs, observed)) {
    judged.ratio = std::numeric_limits<double>::infinity();
    return;
  }
  if (selects) {
    const bool exact_inputs = std::all_of(inputs.begin(), inputs.end(), [](const StepInput& input) {
      return input.relative == 0 && input.distance == 0;
    });
    if (place.inputs != JudgedInputs::kGiven || !exact_inputs) return;
    judged.ratio = same_indices(reference, observed) ? std::min(judged.ratio, 1.0)
                                                     : std::numeric_limits<double>::infinity();
    return;
  }
  const auto flips = count_flips(node, output, inputs, reference, observed);
  if (!flips || flips->different == 0) return;
  if (flips->unexplained > 0) {
    judged.ratio = std::numeric_limits<double>::infinity();
    judged.chose_other_tie = flips->misordered == flips->unexplained;
    return;
  }
  // A scale has as many quotients near a tie as there are numbers: noise counts them better.
  const bool levels = node.op() == "QuantizeLinear" || node.op() == "DynamicQuantizeLinear";
  if (levels && place.inputs != JudgedInputs::kGiven) return;
  // Ties explain no NaNs and infinities.
  if (judged.error.non_finite_mismatches == 0) judged.ratio = std::min(judged.ratio, 1.0);
  if (by_tie) *by_tie = true;
}

}  // namespace polygraphy
