// A metric of a model's task, which `run --metric NAME` selects. One file per metric under kinds/;
// each defines one descriptor.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arrays/array_map.h"
#include "polygraphy/comparison/task_metrics/labels.h"

namespace polygraphy {

// An iteration's part of a metric that is a sum of scores divided by a sum of weights.
struct ScorePart {
  double sum = 0, weight = 0;
  int64_t not_numbers = 0;  // rows whose scores are NaN: they count as wrong, but as no reference
};

// The metric of one side.
class TaskScores {
 public:
  virtual ~TaskScores() = default;
  // How many labels an iteration needs: its rows. Throws Error for outputs that do not suit.
  virtual int64_t rows(const ArrayMap& outputs) = 0;
  // Adds an iteration. Throws Error for outputs and labels that do not suit each other.
  virtual ScorePart add(const ArrayMap& outputs, std::span<const Label> right,
                        const Labels& labels) = 0;
  // The metric, if each iteration in the order of add() counts so often. For metrics that are not
  // sums only.
  virtual double figure(std::span<const int64_t> times) const {
    static_cast<void>(times);
    return 0;
  }
};

struct TaskMetricOptions {
  std::string argument = {};  // behind the colon; empty: none
  std::string output = {};    // the name of the output to judge; empty: the one that suits
};

struct TaskMetric {
  std::string_view name;      // "topk"
  std::string_view spelling;  // with its argument, for help: "topk:K"
  std::string_view summary;   // one line for help
  std::string_view labels;    // what they are, for help
  int order = 0;              // in listings
  enum class Form : uint8_t {
    kShare,        // the sum of scores between 0 and 1, by the sum of weights
    kRate,         // the sum of errors by that of weights: better if lower
    kExponential,  // e to the power of such a rate: drops are relative
    kWhole,        // of all iterations together; TaskScores::figure()
  };
  Form form = Form::kShare;
  int64_t label_rank = 0;    // Labels::rows(); -1: a label for each iteration, as it is
  bool from_inputs = false;  // without labels, the next tokens of an input are right
  // Throws Error for an argument that makes no sense.
  std::unique_ptr<TaskScores> (*make)(const TaskMetricOptions& options) = nullptr;
};

// All task metrics of the folder, in file order.
std::span<const TaskMetric* const> task_metrics();
// The same in the order of listings.
std::vector<const TaskMetric*> listed_task_metrics();
// Null: none has this name.
const TaskMetric* find_task_metric(std::string_view name);

}  // namespace polygraphy
