#include "polygraphy/comparison/task_metrics/paired_metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "numerics/numpy_random.h"

namespace polygraphy {
namespace {

using Form = TaskMetric::Form;

constexpr int kResamples = 200;

std::string percent(double share) {
  return fmt::format("{:.4g}%", 100 * share);
}

bool lower_is_better(Form form) {
  return form == Form::kRate || form == Form::kExponential;
}

// The same limit for the sums of scores, per weight.
double additive(Form form, double drop) {
  return form == Form::kExponential ? std::log1p(drop) : drop;
}

DropDecision::Options decision_of(const TaskMetric& metric, const DropLimit& limit,
                                  std::optional<int64_t> iterations) {
  return {.limit = additive(metric.form, limit.drop),
          .confidence = limit.confidence,
          .draws = iterations,
          .bounded = metric.form == Form::kShare,
          .unseen = 1};
}

}  // namespace

std::string measure_of(const TaskMetric& metric, const std::string& name, const DropLimit& limit) {
  return fmt::format("{} ({} of at most {})", name, lower_is_better(metric.form) ? "rise" : "drop",
                     percent(limit.drop));
}

PairedMetric::PairedMetric(const TaskMetric& metric, std::unique_ptr<TaskScores> reference,
                           std::unique_ptr<TaskScores> target, const DropLimit& limit,
                           std::optional<int64_t> iterations)
    : metric_(metric),
      limit_(limit),
      reference_{std::move(reference)},
      target_{std::move(target)},
      iterations_(iterations),
      decision_(decision_of(metric, limit, iterations)) {}

void PairedMetric::add(const IterationResult& reference, const IterationResult& target,
                       std::span<const Label> right, const Labels& labels) {
  const ScorePart a = reference_.scores->add(reference.outputs, right, labels);
  const ScorePart b = target_.scores->add(target.outputs, right, labels);
  ++seen_;
  samples_ += static_cast<int64_t>(right.size());
  if (!std::isfinite(a.sum) || a.not_numbers > 0)
    throw Error(fmt::format("{} has NaN or infinite scores in iteration {}", reference.runner_name,
                            seen_ - 1),
                "The first runner is the reference.");
  for (auto [side, part] : {std::pair{&reference_, a}, {&target_, b}}) {
    side->total.sum += part.sum;
    side->total.weight += part.weight;
  }
  if (!std::isfinite(b.sum)) {
    if (not_finite_.empty())
      not_finite_ = fmt::format("scores are NaN or infinite in iteration {}", seen_ - 1);
    return;
  }
  const double loss = lower_is_better(metric_.form) ? b.sum - a.sum : a.sum - b.sum;
  if (metric_.form != Form::kWhole) decision_.add({loss, a.weight});
}

bool PairedMetric::decided() const {
  return !not_finite_.empty() || decision_.answer() != DropDecision::Answer::kOpen;
}

double PairedMetric::figure(const Side& side) const {
  if (metric_.form == Form::kWhole)
    return side.scores->figure(std::vector<int64_t>(static_cast<size_t>(seen_), 1));
  const double rate = side.total.sum / side.total.weight;
  return metric_.form == Form::kExponential ? std::exp(rate) : rate;
}

double PairedMetric::as_drop(double additive) const {
  return metric_.form == Form::kExponential ? std::expm1(additive) : additive;
}

double PairedMetric::drop() const {
  if (metric_.form == Form::kWhole) return figure(reference_) - figure(target_);
  return as_drop(decision_.drop());
}

// "a drop of 0.2%"; below zero, the target is better.
std::string PairedMetric::drop_text(double drop) const {
  if (drop == 0) return "no change";
  const bool rises = lower_is_better(metric_.form) == (drop > 0);
  return fmt::format("a {} of {}", rises ? "rise" : "drop", percent(std::abs(drop)));
}

std::string PairedMetric::figures_and_drop() const {
  const double a = figure(reference_), b = figure(target_);
  const std::string figures = metric_.form == Form::kExponential
                                  ? fmt::format("{:.6g} instead of {:.6g}", b, a)
                                  : percent(b) + " instead of " + percent(a);
  return figures + ", " + drop_text(drop());
}

// By the decision on the whole set, or by the figures of all of it. 0.5% of 200 samples is 1
// sample, but not to the last digit.
bool PairedMetric::is_within() const {
  const auto answer = decision_.answer();
  if (!saw_all() && answer != DropDecision::Answer::kOpen)
    return answer == DropDecision::Answer::kWithin;
  return drop() <= limit_.drop + 1e-12;
}

// The end of the interval that matters: how much worse it may be than it seems, or how much better.
std::string PairedMetric::certainty() const {
  if (metric_.form == Form::kWhole) return resampled();
  if (saw_all()) return {};
  const bool within = is_within();
  const double end = as_drop(within ? decision_.upper() : decision_.lower());
  if (!std::isfinite(end)) return {};
  return fmt::format(", at {} {} with {} confidence", within ? "most" : "least", percent(end),
                     percent(limit_.confidence));
}

// The middle part of the drops of sets that are drawn from this one, with replacement.
std::string PairedMetric::resampled() const {
  if (seen_ < 2) return {};
  NumpyRandom random(0);
  std::vector<uint32_t> drawn(static_cast<size_t>(seen_));
  std::vector<double> drops;
  for (int i = 0; i < kResamples; ++i) {
    random.fill_uint32(drawn, 0, static_cast<uint32_t>(seen_ - 1));
    std::vector<int64_t> times(drawn.size());
    for (const uint32_t image : drawn) ++times[image];
    const double drop = reference_.scores->figure(times) - target_.scores->figure(times);
    if (!std::isnan(drop)) drops.push_back(drop);
  }
  if (drops.empty()) return {};
  std::ranges::sort(drops);
  const auto at = [&](double share) {
    return drops[static_cast<size_t>(share * static_cast<double>(drops.size() - 1))];
  };
  const double tail = (1 - limit_.confidence) / 2;
  return fmt::format(" ({} of resampled sets: a drop of {} to {})", percent(limit_.confidence),
                     percent(at(tail)), percent(at(1 - tail)));
}

Verdict PairedMetric::verdict(std::optional<int64_t> samples) const {
  Verdict verdict{.unit = "sample"};
  verdict.compared = samples_;
  verdict.total = std::max(samples.value_or(samples_), samples_);
  verdict.samples = seen_;
  const bool whole = metric_.form == Form::kWhole;
  if (!not_finite_.empty()) {
    verdict.agreement = Agreement::kDiffers;
    verdict.off = samples_;
    verdict.reason = not_finite_;
    return verdict;
  }
  if (samples_ == 0 || (!whole && reference_.total.weight == 0) ||
      (whole && std::isnan(figure(reference_)))) {
    verdict.compared = 0;
    verdict.reason = "the labels have nothing to find";
    return verdict;
  }
  const bool within = is_within();
  verdict.agreement = within ? Agreement::kAgrees : Agreement::kDiffers;
  if (!within) verdict.off = samples_;
  if (limit_.drop > 0) verdict.excess = std::max(drop(), 0.0) / limit_.drop;
  verdict.reason = figures_and_drop() + certainty();
  return verdict;
}

}  // namespace polygraphy
