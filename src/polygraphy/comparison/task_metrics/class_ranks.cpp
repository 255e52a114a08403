#include "polygraphy/comparison/task_metrics/class_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "polygraphy/comparison/task_metrics/judged_output.h"
#include "polygraphy/comparison/task_metrics/label_numbers.h"

namespace polygraphy {
namespace {

constexpr std::string_view kScores = "scores [rows, classes]",
                           kEither = "scores [rows, classes] or classes [rows]";

// The classes are the second dimension; those behind it may have one element each.
bool are_scores(const Array& output) {
  const Shape& shape = output.shape();
  return is_floating(output.dtype()) && shape.size() >= 2 && shape[1] > 1 &&
         std::all_of(shape.begin() + 2, shape.end(), [](int64_t length) { return length == 1; });
}

// The answers themselves, as of an ArgMax.
bool are_answers(const Array& output) {
  const Shape& shape = output.shape();
  return is_integral(output.dtype()) && !shape.empty() &&
         std::all_of(shape.begin() + 1, shape.end(), [](int64_t length) { return length == 1; });
}

bool is_nan(double number) {
  return std::isnan(number);
}

bool is_right(std::span<const double> scores, size_t label, int64_t count) {
  const double score = scores[label];
  if (std::isnan(score)) return false;
  int64_t higher = 0;
  for (size_t i = 0; i < scores.size(); ++i)
    higher += scores[i] > score || std::isnan(scores[i]) || (scores[i] == score && i < label);
  return higher < count;
}

class ClassRanks : public TaskScores {
 public:
  ClassRanks(std::string output, int64_t count) : output_(std::move(output)), count_(count) {}

  int64_t rows(const ArrayMap& outputs) override { return judged(outputs).second.shape()[0]; }

  ScorePart add(const ArrayMap& outputs, std::span<const Label> right,
                const Labels& labels) override {
    const auto& [name, array] = judged(outputs);
    const bool answers = are_answers(array);
    const int64_t classes = answers ? std::numeric_limits<int64_t>::max() : array.shape()[1];
    if (!answers && count_ >= classes) {
      throw Error(fmt::format("Output '{}' has {} classes: all are among the {} highest scores",
                              name, classes, count_),
                  "Count fewer classes.");
    }
    NumberRows rows(array, answers ? 1 : classes);
    ScorePart part{.sum = 0, .weight = static_cast<double>(right.size()), .not_numbers = 0};
    for (size_t i = 0; i < right.size(); ++i) {
      const auto place = static_cast<int64_t>(i);
      const int64_t label = class_of(right[i], labels);
      if (label < 0 || label >= classes)
        throw Error(fmt::format("{} is class {}, but output '{}' has the classes 0 to {}",
                                name_of(right[i], labels), label, name, classes - 1),
                    "Labels count from 0, in the order of the output.");
      const bool is = answers ? array.get_int64(place) == label
                              : is_right(rows.row(place), static_cast<size_t>(label), count_);
      part.sum += is ? 1 : 0;
      if (!answers) part.not_numbers += std::ranges::any_of(rows.row(place), is_nan) ? 1 : 0;
    }
    return part;
  }

 private:
  static int64_t class_of(const Label& label, const Labels& labels) {
    const std::vector<int64_t> numbers = whole_numbers(label, labels);
    if (numbers.size() == 1) return numbers.front();
    throw Error(fmt::format("{} has {} numbers, but a class is one", name_of(label, labels),
                            numbers.size()));
  }

  // Answers, for one class, if the user names them or there are no scores.
  const std::pair<std::string, Array>& judged(const ArrayMap& outputs) const {
    const bool scores = std::any_of(outputs.begin(), outputs.end(),
                                    [](const auto& output) { return are_scores(output.second); });
    const bool answers = count_ == 1 && (!output_.empty() || !scores);
    return outputs.at_index(place_of_output(
        outputs, output_, answers ? kEither : kScores,
        [&](const Array& array) { return are_scores(array) || (answers && are_answers(array)); }));
  }

  std::string output_;
  int64_t count_;
};

}  // namespace

std::unique_ptr<TaskScores> class_ranks(std::string output, int64_t count) {
  return std::make_unique<ClassRanks>(std::move(output), count);
}

}  // namespace polygraphy
