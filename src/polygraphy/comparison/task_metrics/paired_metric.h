// A task metric of two sides: their scores, the drop and the decision about it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "polygraphy/comparison/task_metrics/drop_decision.h"
#include "polygraphy/comparison/task_metrics/task_metric.h"
#include "polygraphy/comparison/verdict/verdict.h"
#include "polygraphy/data/results/results.h"

namespace polygraphy {

// The limit of a drop, and how certain an answer has to be.
struct DropLimit {
  double drop = 0, confidence = 0.95;
};

class PairedMetric {
 public:
  // `iterations`: of the whole data set, if known.
  PairedMetric(const TaskMetric& metric, std::unique_ptr<TaskScores> reference,
               std::unique_ptr<TaskScores> target, const DropLimit& limit,
               std::optional<int64_t> iterations);

  void add(const IterationResult& reference, const IterationResult& target,
           std::span<const Label> right, const Labels& labels);
  // More samples would hardly change the verdict.
  bool decided() const;
  // Of the reference and the target; NaN where there is nothing to find.
  std::pair<double, double> figures() const { return {figure(reference_), figure(target_)}; }
  // `samples`: of the whole data set, if known. Sides and measure are the caller's.
  Verdict verdict(std::optional<int64_t> samples) const;

 private:
  struct Side {
    std::unique_ptr<TaskScores> scores;
    ScorePart total = {};
  };

  double figure(const Side& side) const;
  double as_drop(double additive) const;
  double drop() const;
  std::string figures_and_drop() const;
  bool saw_all() const { return iterations_ && seen_ >= *iterations_; }
  bool is_within() const;
  std::string certainty() const;
  std::string resampled() const;
  std::string drop_text(double drop) const;

  const TaskMetric& metric_;
  const DropLimit limit_;
  Side reference_, target_;
  std::optional<int64_t> iterations_;
  DropDecision decision_;
  int64_t samples_ = 0, seen_ = 0;  // rows, iterations
  std::string not_finite_;          // why the target has no figure
};

// "top1 (drop of at most 0.5%)".
std::string measure_of(const TaskMetric& metric, const std::string& name, const DropLimit& limit);

}  // namespace polygraphy
