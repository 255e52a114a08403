#include "polygraphy/comparison/task_metrics/script_score.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "polygraphy/comparison/task_metrics/label_numbers.h"

namespace polygraphy {
namespace {

constexpr std::string_view kOutput = "output:", kLabel = "label:";

class ScriptScore : public TaskScores {
 public:
  explicit ScriptScore(ScriptFunction function) : function_(std::move(function)) {}

  int64_t rows(const ArrayMap&) override { return 1; }

  ScorePart add(const ArrayMap& outputs, std::span<const Label> right,
                const Labels& labels) override {
    const Label& label = right.front();
    PythonMessage request;
    for (const auto& [name, array] : outputs)
      request.arrays.set(std::string(kOutput) + name, array);
    if (label.text) {
      request.header.set("text", *label.text);
    } else {
      request.arrays.set(std::string(kLabel) + "labels", label.values);
      if (!label.boxes.empty()) request.arrays.set(std::string(kLabel) + "boxes", label.boxes);
    }
    const double score = function_.call("score", std::move(request)).header["score"].number();
    if (!(score >= 0 && score <= 1))
      throw Error(
          fmt::format("Script {}: {}() returned {:g} for {}, but a score is between 0 and 1",
                      function_.symbol().path, function_.symbol().name, score,
                      name_of(label, labels)),
          "1 is best. Divide by the largest possible score.");
    return {.sum = score, .weight = 1};
  }

 private:
  ScriptFunction function_;
};

}  // namespace

constinit const TaskMetric kScriptMetric = {
    .name = "script",
    .spelling = "script",
    .summary = "mean score",
    .labels = "the second argument of the function",
    .label_rank = -1,
};

std::unique_ptr<TaskScores> script_score(ScriptFunction function) {
  return std::make_unique<ScriptScore>(std::move(function));
}

}  // namespace polygraphy
