// `--metric perplexity`: how well a language model predicts the next tokens.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "polygraphy/comparison/task_metrics/judged_output.h"
#include "polygraphy/comparison/task_metrics/label_numbers.h"
#include "polygraphy/comparison/task_metrics/task_metric.h"

namespace polygraphy {
namespace {

constexpr std::string_view kForm = "logits [rows, tokens, vocabulary]";
constexpr int64_t kNone = -100;  // a position without a right token

bool are_logits(const Array& output) {
  return is_floating(output.dtype()) && output.rank() == 3 && output.shape()[2] > 1;
}

// -log(softmax(logits)[token]).
double surprise(std::span<const double> logits, int64_t token) {
  const double most = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const double logit : logits) sum += std::exp(logit - most);
  return most + std::log(sum) - logits[static_cast<size_t>(token)];
}

class Perplexity : public TaskScores {
 public:
  explicit Perplexity(std::string output) : output_(std::move(output)) {}

  int64_t rows(const ArrayMap& outputs) override { return logits(outputs).second.shape()[0]; }

  ScorePart add(const ArrayMap& outputs, std::span<const Label> right,
                const Labels& labels) override {
    const auto& [name, array] = logits(outputs);
    const int64_t tokens = array.shape()[1], vocabulary = array.shape()[2];
    NumberRows rows(array, vocabulary);
    ScorePart part;
    for (size_t i = 0; i < right.size(); ++i) {
      const std::vector<int64_t> next = whole_numbers(right[i], labels);
      if (static_cast<int64_t>(next.size()) != tokens)
        throw Error(fmt::format("{} has {} tokens, but output '{}' has {} positions",
                                name_of(right[i], labels), next.size(), name, tokens),
                    "A label has the token that follows each position, or -100 for none.");
      for (int64_t k = 0; k < tokens; ++k) {
        const int64_t token = next[static_cast<size_t>(k)];
        if (token == kNone) continue;
        if (token < 0 || token >= vocabulary)
          throw Error(fmt::format("{} has token {}, but output '{}' has the tokens 0 to {}",
                                  name_of(right[i], labels), token, name, vocabulary - 1),
                      "-100 stands for no token.");
        part.sum += surprise(rows.row(static_cast<int64_t>(i) * tokens + k), token);
        part.weight += 1;
      }
    }
    return part;
  }

 private:
  const std::pair<std::string, Array>& logits(const ArrayMap& outputs) const {
    return outputs.at_index(place_of_output(outputs, output_, kForm, are_logits));
  }

  std::string output_;
};

std::unique_ptr<TaskScores> make_scores(const TaskMetricOptions& options) {
  return std::make_unique<Perplexity>(options.output);
}

}  // namespace

extern constinit const TaskMetric task_metric_perplexity = {
    .name = "perplexity",
    .spelling = "perplexity",
    .summary = "e to the power of the mean cross entropy of the next tokens",
    .labels =
        "the token that follows each position, -100 for none; without a file, the tokens of "
        "the input",
    .order = 4,
    .form = TaskMetric::Form::kExponential,
    .label_rank = 1,
    .from_inputs = true,
    .make = make_scores,
};

}  // namespace polygraphy
