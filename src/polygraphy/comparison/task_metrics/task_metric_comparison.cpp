#include "polygraphy/comparison/task_metrics/task_metric_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "base/near_names.h"
#include "numerics/numpy_random.h"
#include "polygraphy/comparison/task_metrics/judged_output.h"
#include "polygraphy/comparison/task_metrics/label_numbers.h"
#include "polygraphy/comparison/task_metrics/paired_metric.h"
#include "polygraphy/comparison/task_metrics/task_metric.h"
#include "polygraphy/comparison/task_metrics/token_labels.h"
#include "polygraphy/data/user_python/user_python.h"

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

// A mean of scores between 0 and 1, by a function of the user's.
constinit const TaskMetric kScriptMetric = {
    .name = "script",
    .spelling = "script",
    .summary = "mean score",
    .labels = "the second argument of the function",
    .label_rank = -1,
};

// function(outputs, label): a score between 0 and 1, higher is better. Throws Error for others.
std::unique_ptr<TaskScores> script_score(ScriptFunction function) {
  return std::make_unique<ScriptScore>(std::move(function));
}

// A metric as the user named it.
struct NamedMetric {
  std::string name;
  const TaskMetric* metric = nullptr;
  TaskMetricOptions options = {};
  std::optional<ScriptFunction> function = {};
};

// "topk:5" of "top5", "top-5" and "top:5": metrics whose argument is a count end with "k". Empty:
// another word.
std::string with_count(std::string_view word) {
  const std::string_view stem = word.substr(0, word.find_last_not_of("0123456789") + 1);
  const std::string_view count = word.substr(stem.size());
  if (count.empty() || stem.empty()) return "";
  const std::string name = std::string(stem.substr(0, stem.find_last_not_of("-_:@") + 1)) + "k";
  return find_task_metric(name) ? name + ":" + std::string(count) : "";
}

std::string hint_for_unknown(const std::string& metric, const std::string& name) {
  std::vector<std::string_view> names;
  for (const TaskMetric* known : listed_task_metrics()) names.push_back(known->spelling);
  const std::string counted = with_count(metric);
  if (counted.empty()) return unknown_name_hint(name, names, "Metrics");
  return "Did you mean '" + counted + "'?\nMetrics: " + shortened(names) + ".";
}

// Of a name with its argument.
const TaskMetric& kind_of(const std::string& metric) {
  const std::string name = metric.substr(0, metric.rfind(':'));
  if (name.ends_with(".py")) return kScriptMetric;
  if (const TaskMetric* kind = find_task_metric(name)) return *kind;
  throw Error("Unknown metric '" + name + "'", hint_for_unknown(metric, name));
}

NamedMetric resolve_metric(const TaskMetricJob& job) {
  NamedMetric named{.name = job.metric, .metric = &kind_of(job.metric)};
  named.options.output = job.output;
  const size_t colon = job.metric.rfind(':');
  const std::string name = job.metric.substr(0, colon);
  if (named.metric == &kScriptMetric) {
    if (!job.output.empty())
      throw Error("A function of a script gets all outputs, not only '" + job.output + "'");
    if (!job.python) throw Error("A metric of a script needs the user's Python");
    const ScriptSymbol symbol = parse_script_symbol(job.metric, "score");
    require_script(symbol);
    named.function.emplace(job.python, symbol);
    return named;
  }
  if (colon != std::string::npos) named.options.argument = job.metric.substr(colon + 1);
  if (named.metric->spelling == named.metric->name && !named.options.argument.empty())
    throw Error(fmt::format("The metric {} does not support the argument '{}'", name,
                            named.options.argument));
  return named;
}

// One for each row that the metric judges.
std::shared_ptr<const Labels> by_rows(const std::shared_ptr<const Labels>& labels,
                                      const TaskMetric& metric) {
  const int64_t rank = metric.label_rank;
  if (rank < 0 || !labels->has_rows(rank)) return labels;
  return std::make_shared<const Labels>(labels->rows(rank));
}

class Comparison : public TaskMetricComparison {
 public:
  Comparison(TaskMetricJob job, Logger& log)
      : log_(log),
        job_(std::move(job)),
        named_(resolve_metric(job_)),
        limit_{job_.drop, job_.confidence} {
    if (from_inputs() && !kind().from_inputs) {
      throw Error(kNoLabels,
                  fmt::format("The metric {} needs labels: {}", named_.name, kind().labels));
    }
    if (from_inputs()) return;
    labels_ = by_rows(job_.labels, kind());
  }

  OutputResults compare(const IterationResult& result0, const IterationResult& result1) override {
    stops_ = false;
    PairedMetric& pair = pair_of(result0, result1);
    const int64_t rows = rows_of(result0), others = rows_of(result1);
    if (rows != others)
      throw Error(fmt::format("{} has {} rows of results, {} has {}", result0.runner_name, rows,
                              result1.runner_name, others),
                  "Both sides need the same inputs.");
    begin_iteration(result0.runner_name, rows);
    const bool turned = is_turned(result0.runner_name, result1.runner_name);
    pair.add(turned ? result1 : result0, turned ? result0 : result1, right_, labels());
    return {};
  }

  bool averages() const override { return false; }
  Threshold threshold(const std::string&) override { return {}; }
  std::string measure() const override { return measure_of(kind(), named_.name, limit_); }

  bool judges_together() const override { return true; }

  Verdict verdict(const std::string& runner0, const std::string& runner1) const override {
    Verdict verdict{.unit = "sample"};
    for (const Pair& pair : pairs_) {
      if (pair.runner0 != runner0 || pair.runner1 != runner1) continue;
      verdict = pair.scores.verdict(samples());
      const bool turned = is_turned(runner0, runner1);
      verdict.reference = turned ? runner1 : runner0;
      verdict.target = turned ? runner0 : runner1;
      if (!stops_ && surplus_labels()) {
        verdict.agreement = Agreement::kFailed;
        verdict.reason = fmt::format("{} has {} labels, but there were {} samples", labels().source,
                                     size(), next_);
      }
      const auto [a, b] = pair.scores.figures();
      log_.verbose(log_modules::kCompare,
                   fmt::format("{} | {}: {} | {}: {}", named_.name, verdict.reference,
                               py_float_repr(a), verdict.target, py_float_repr(b)));
    }
    return verdict;
  }

  bool decided() const override {
    stops_ = !pairs_.empty() && labels_fit() &&
             std::ranges::all_of(pairs_, [](const Pair& pair) { return pair.scores.decided(); });
    return stops_;
  }

  void saw(const ValueMap& feed) override {
    if (from_inputs()) tokens_.push_back(next_tokens(feed));
  }

 private:
  struct Pair {
    std::string runner0, runner1;
    PairedMetric scores;
  };

  const TaskMetric& kind() const { return *named_.metric; }
  bool from_inputs() const { return job_.labels == nullptr; }
  const Labels& labels() const { return from_inputs() ? taken_ : *labels_; }
  std::unique_ptr<TaskScores> make_scores() const {
    return named_.function ? script_score(*named_.function) : kind().make(named_.options);
  }

  // Whether the second of a pair is the reference.
  bool is_turned(const std::string& runner0, const std::string& runner1) const {
    const auto runs = [&](const std::string& name) {
      return std::ranges::find(job_.runners, name) != job_.runners.end();
    };
    return runs(runner0) && !runs(runner1);
  }

  int64_t rows_of(const IterationResult& result) { return rows_->rows(result.outputs); }

  PairedMetric& pair_of(const IterationResult& result0, const IterationResult& result1) {
    for (Pair& pair : pairs_) {
      if (pair.runner0 == result0.runner_name && pair.runner1 == result1.runner_name)
        return pair.scores;
    }
    if (first_rows_ == 0) begin_set(rows_of(result0));
    return pairs_
        .emplace_back(Pair{result0.runner_name, result1.runner_name,
                           PairedMetric(kind(), make_scores(), make_scores(), limit_, iterations_)})
        .scores;
  }

  // With the rows of the first iteration, which others have, too, but for the last.
  void begin_set(int64_t rows) {
    first_rows_ = std::max<int64_t>(rows, 1);
    iterations_ = job_.iterations;
    if (from_inputs()) return;
    // The last batch of the set may come first.
    if (!job_.order.empty() && iterations_)
      first_rows_ = std::max<int64_t>((size() + *iterations_ - 1) / *iterations_, 1);
    next_ = job_.first * first_rows_;
    if (!job_.even) return;
    const int64_t left = size() - next_;
    if (!iterations_) iterations_ = (left + first_rows_ - 1) / first_rows_;
    const int64_t least = (*iterations_ - 1) * first_rows_ + 1;
    const int64_t most = *iterations_ * first_rows_;
    if (left >= least && (left <= most || job_.part)) return;
    throw Error(
        kOtherNumberOfLabels,
        fmt::format("{} has {} labels, but {} iterations of {} rows need {}", labels().source,
                    size(), *iterations_ + job_.first, first_rows_, most + next_),
        "There must be one for each row of each input, in the same order.");
  }

  // A first runner that has been seen before begins the next iteration.
  void begin_iteration(const std::string& reference, int64_t rows) {
    if (seen_.insert(reference).second && seen_.size() > 1) return;
    seen_ = {reference};
    if (from_inputs()) {
      take_tokens(rows);
      return;
    }
    if (!job_.order.empty()) place_in_order(rows);
    one_size_ &= rows == first_rows_;
    if (next_ + rows > size())
      throw Error(
          kOtherNumberOfLabels,
          fmt::format("{} has {} labels, but there are more samples", labels().source, size()),
          "There must be one for each row of each input, in the same order.");
    right_ = std::span<const Label>(labels().all)
                 .subspan(static_cast<size_t>(next_), static_cast<size_t>(rows));
    next_ += rows;
    ++iteration_;
  }

  void place_in_order(int64_t rows) {
    const int64_t place = job_.order.at(static_cast<size_t>(iteration_));
    next_ = place * first_rows_;
    if (rows == std::min(first_rows_, size() - next_)) return;
    throw Error(kUnevenBatches,
                fmt::format("Input {} has {} rows, but its labels are {}: in random order, all "
                            "batches need one size",
                            place, rows, std::min(first_rows_, size() - next_)));
  }

  void take_tokens(int64_t rows) {
    if (tokens_.empty())
      throw Error(kNoLabels, fmt::format("The metric {} needs the inputs of the results, or labels",
                                         named_.name));
    taken_.all = std::move(tokens_.front());
    tokens_.pop_front();
    if (static_cast<int64_t>(taken_.all.size()) != rows)
      throw Error(
          fmt::format("The results have {} rows, but the input has {}", rows, taken_.all.size()),
          "Give the next tokens as labels.");
    right_ = taken_.all;
  }

  // Behind those of all results.
  bool surplus_labels() const {
    return !from_inputs() && job_.order.empty() && !job_.part && next_ < size();
  }

  // Whether the labels that are left may be those of the inputs that are left. Where begin_set()
  // did not compare their numbers, only the inputs that are left know: they have to run.
  bool labels_fit() const {
    if (from_inputs() || !job_.iterations || !job_.order.empty() || job_.part) return true;
    const int64_t inputs = *job_.iterations - iteration_, rows = size() - next_;
    if (!one_size_) return inputs == 0 && rows == 0;
    return rows <= inputs * first_rows_ && rows > (inputs - 1) * first_rows_;
  }

  int64_t size() const { return static_cast<int64_t>(labels().all.size()); }

  // nullopt: not known.
  std::optional<int64_t> samples() const {
    if (!iterations_) return std::nullopt;
    if (from_inputs()) return *iterations_ * first_rows_;
    if (!job_.even) return size() - job_.first * first_rows_;
    return std::min(*iterations_ * first_rows_, size() - job_.first * first_rows_);
  }

  Logger& log_;
  const TaskMetricJob job_;
  const NamedMetric named_;
  const DropLimit limit_;
  std::shared_ptr<const Labels> labels_;                    // by rows; null: taken from inputs
  Labels taken_{.source = "the input's tokens"};            // of this iteration
  const std::unique_ptr<TaskScores> rows_ = make_scores();  // for the rows of outputs
  std::vector<Pair> pairs_;
  std::set<std::string> seen_;             // reference runners of this iteration
  std::deque<std::vector<Label>> tokens_;  // of iterations that are to be compared
  std::span<const Label> right_;           // labels of this iteration
  std::optional<int64_t> iterations_;      // of the set
  int64_t iteration_ = 0;
  int64_t first_rows_ = 0, next_ = 0;  // rows, the label of the next iteration
  bool one_size_ = true;               // all iterations had `first_rows_`
  mutable bool stops_ = false;  // decided() was true: the caller may leave the other samples out
};

}  // namespace

std::vector<int64_t> random_order(int64_t count) {
  std::vector<int64_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  NumpyRandom random(0);
  for (size_t left = order.size(); left > 1; --left) {
    uint64_t place = 0;
    random.fill_uint64({&place, 1}, 0, left - 1);
    std::swap(order[left - 1], order[place]);
  }
  return order;
}

std::shared_ptr<const Labels> load_labels_for(const std::string& metric, const std::string& path) {
  const TaskMetric& kind = kind_of(metric);
  return by_rows(std::make_shared<const Labels>(load_labels(path)), kind);
}

std::shared_ptr<TaskMetricComparison> task_metric_comparison(TaskMetricJob job, Logger& log) {
  return std::make_shared<Comparison>(std::move(job), log);
}

}  // namespace polygraphy
