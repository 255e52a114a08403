// `--metric wer`: word errors of a speech recognizer, by edit distance.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "polygraphy/comparison/task_metrics/judged_output.h"
#include "polygraphy/comparison/task_metrics/label_numbers.h"
#include "polygraphy/comparison/task_metrics/task_metric.h"

namespace polygraphy {
namespace {

constexpr std::string_view kForm =
    "texts [rows], tokens [rows, tokens] or logits [rows, tokens, vocabulary]";

using Words = std::vector<std::string>;

bool are_words(const Array& output) {
  if (output.dtype() == DataType::kString) return output.rank() >= 1;
  if (is_integral(output.dtype())) return output.rank() == 2;
  return is_floating(output.dtype()) && output.rank() == 3 && output.shape()[2] > 1;
}

// Insertions, deletions and replacements that make one of the other. O(product of lengths).
template <typename Items>
int64_t edit_distance(const Items& from, const Items& to) {
  std::vector<int64_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 0; i < from.size(); ++i) {
    int64_t diagonal = std::exchange(row[0], static_cast<int64_t>(i) + 1);
    for (size_t k = 0; k < to.size(); ++k) {
      const int64_t replaced = diagonal + (from[i] == to[k] ? 0 : 1);
      diagonal = row[k + 1];
      row[k + 1] = std::min({replaced, row[k] + 1, row[k + 1] + 1});
    }
  }
  return row.back();
}

Words words_of(std::string_view text) {
  Words words;
  for (const std::string_view word : split(text, ' ')) {
    if (const auto stripped = strip(word); !stripped.empty()) words.emplace_back(stripped);
  }
  return words;
}

class WordErrors : public TaskScores {
 public:
  // `blank`: the token between repeated ones in the outputs of CTC; nullopt: no CTC.
  WordErrors(std::string output, std::optional<int64_t> blank)
      : output_(std::move(output)), blank_(blank) {}

  int64_t rows(const ArrayMap& outputs) override {
    const Array& output = words(outputs);
    return output.dtype() == DataType::kString ? output.size() : output.shape()[0];
  }

  ScorePart add(const ArrayMap& outputs, std::span<const Label> right,
                const Labels& labels) override {
    const Array& output = words(outputs);
    ScorePart part;
    for (size_t i = 0; i < right.size(); ++i) {
      const auto row = static_cast<int64_t>(i);
      if (output.dtype() == DataType::kString) {
        if (!right[i].text)
          throw Error(name_of(right[i], labels) + " is not a text, but the output has texts",
                      "Labels are lines of text.");
        const Words spoken = words_of(*right[i].text);
        part.sum += static_cast<double>(edit_distance(words_of(output.strings()[i]), spoken));
        part.weight += static_cast<double>(spoken.size());
        continue;
      }
      std::vector<int64_t> spoken = whole_numbers(right[i], labels);
      std::erase_if(spoken, [](int64_t token) { return token < 0; });  // padding
      part.sum += static_cast<double>(edit_distance(tokens_of(output, row), spoken));
      part.weight += static_cast<double>(spoken.size());
    }
    return part;
  }

 private:
  const Array& words(const ArrayMap& outputs) const {
    return outputs.at_index(place_of_output(outputs, output_, kForm, are_words)).second;
  }

  std::vector<int64_t> tokens_of(const Array& output, int64_t row) const {
    const int64_t count = output.shape()[1];
    std::vector<int64_t> tokens;
    if (is_floating(output.dtype())) {
      NumberRows logits(output, output.shape()[2]);
      for (int64_t i = 0; i < count; ++i) {
        const auto scores = logits.row(row * count + i);
        tokens.push_back(std::max_element(scores.begin(), scores.end()) - scores.begin());
      }
    } else {
      for (int64_t i = 0; i < count; ++i) tokens.push_back(output.get_int64(row * count + i));
    }
    if (blank_) {
      tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
      std::erase(tokens, *blank_);
    }
    std::erase_if(tokens, [](int64_t token) { return token < 0; });
    return tokens;
  }

  std::string output_;
  std::optional<int64_t> blank_;
};

std::unique_ptr<TaskScores> make_scores(const TaskMetricOptions& options) {
  constexpr std::string_view kCtc = "ctc";
  const std::string_view text = options.argument;
  if (text.empty()) return std::make_unique<WordErrors>(options.output, std::nullopt);
  int64_t blank = 0;
  if (text != kCtc) {
    const std::string_view number = text.substr(std::min(text.size(), kCtc.size() + 1));
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), blank);
    if (!text.starts_with("ctc=") || error != std::errc() || end != text.data() + text.size())
      throw Error("wer has the form '" + options.argument + "'",
                  "It has none, ctc, or ctc=BLANK with the number of the blank token.");
  }
  return std::make_unique<WordErrors>(options.output, blank);
}

}  // namespace

extern constinit const TaskMetric task_metric_wer = {
    .name = "wer",
    .spelling = "wer[:ctc[=BLANK]]",
    .summary =
        "word or token errors by the number of right ones; with ctc, repeated tokens count "
        "once and blanks (default: token 0) not at all",
    .labels = "texts, or numbers of tokens",
    .order = 3,
    .form = TaskMetric::Form::kRate,
    .label_rank = 1,
    .make = make_scores,
};

}  // namespace polygraphy
