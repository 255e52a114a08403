#include "polygraphy/diagnosis/sensitivity/set_judgement.h"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <utility>

#include "graphsurgeon/ir/tensor_names.h"

namespace polygraphy {
namespace {

constexpr const char* kReference = "floating point";

Verdict verdict_of(const std::string& model, const OutputEffect& effect, double limit,
                   size_t samples) {
  Verdict verdict{.target = model,
                  .reference = kReference,
                  .measure = fmt::format("a relative error of {:g}", limit),
                  .total = 1,
                  .compared = 1,
                  .samples = static_cast<int64_t>(samples)};
  const double error = effect.error;
  verdict.excess = limit > 0   ? error / limit
                   : error > 0 ? std::numeric_limits<double>::infinity()
                               : 0;
  verdict.agreement = error <= limit ? Agreement::kAgrees : Agreement::kDiffers;
  if (!verdict.passed()) {
    verdict.off = 1;
    verdict.worst = effect.output;
  }
  return verdict;
}

}  // namespace

void require_sense(const SensitivityCheck& check, const graphsurgeon::Graph& graph) {
  const auto* outputs = std::get_if<OutputCheck>(&check);
  if (outputs) require_sense(*outputs, graphsurgeon::tensor_names(graph.outputs()));
}

SetJudgement::SetJudgement(const SetCheck& check, std::string model)
    : check_(check), model_(std::move(model)), errors_(check.reference, false) {
  const auto* outputs = std::get_if<OutputCheck>(&check.check);
  if (!outputs) return;
  OutputCheck whole = *outputs;
  if (whole.task_metric) {
    whole.task_metric->confidence = 1;
    whole.task_metric->iterations = static_cast<int64_t>(check.samples.size());
  }
  judge_.emplace(whole, kReference, model_);
}

void SetJudgement::add(const ArrayMap& outputs) {
  if (judge_) {
    judge_->add(check_.samples[next_], check_.reference.samples[next_], outputs);
  } else {
    errors_.add(outputs);
  }
  ++next_;
}

bool SetJudgement::failed() const {
  if (judge_) return judge_->decided();
  return !verdict().passed();
}

Verdict SetJudgement::verdict() const {
  if (judge_) return judge_->verdict();
  return verdict_of(model_, errors_.effect(), std::get<ErrorLimit>(check_.check).limit, next_);
}

JudgedModel judge_model(Runner& runner, const SetCheck& check, const CancelToken& cancel) {
  SetJudgement judgement(check, kMixedModel);
  EffectSums sums(check.reference, true);
  for (const ValueMap& sample : check.samples) {
    cancel.check();
    const ArrayMap outputs = tensors_of(runner.infer(sample));
    judgement.add(outputs);
    sums.add(outputs);
  }
  return {sums.effect(), judgement.verdict()};
}

}  // namespace polygraphy
