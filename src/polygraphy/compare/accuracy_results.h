// Results of comparisons as --save-accuracy-results has them, and what can be done with them
// without the outputs: judging them anew, averaging, counting.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/ordered_map.h"
#include "formats/json_reader.h"
#include "polygraphy/compare/metric.h"

namespace polygraphy {

// One output in one iteration. Without a metric there is nothing but the verdict (different shapes,
// `indices`, a script's function).
struct JudgedOutput {
  const Metric* metric = nullptr;
  OutputResult result;
};

using JudgedIteration = OrderedMap<JudgedOutput>;

// Two runners, compared with each other.
struct JudgedPair {
  std::string runner0, runner1;
  std::vector<JudgedIteration> iterations;

  int64_t matched() const;  // iterations in which every output passed
};

// Iterations of a pair of runners.
struct AccuracyStats {
  int64_t matched = 0, mismatched = 0, total = 0;
};

// What one comparison function found.
struct AccuracyResult {
  std::vector<JudgedPair> pairs;
  // --check-average: the verdict is on the figures' means over the iterations, not on each.
  bool average = false;

  // The metric of its figures; null when there are none.
  const Metric* metric() const;
};

struct AccuracyResults {
  std::vector<AccuracyResult> comparisons;

  // Everything matched; with `average`, the means did. Also when nothing was compared.
  explicit operator bool() const;
  // Of one pair of runners, by its place: how many iterations matched by every function, and which
  // part of them (0 to 1; 1 when there was none). Throw Error when there is no such pair.
  AccuracyStats stats(size_t pair = 0) const;
  double percentage(size_t pair = 0) const;

  // As --save-accuracy-results has them, without a word. Throw Error.
  void save(const std::string& path) const;
  static AccuracyResults load(const std::string& path);
};

// Throws IoError, FormatError, and Error in the original's words when the file is of another kind.
AccuracyResults load_accuracy_results(const std::string& path, Logger& log);
void save_accuracy_results(const AccuracyResults& results, const std::string& path, Logger& log);

// A reader at the list of comparisons (SavedDocument::accuracy()). Throws FormatError.
AccuracyResults read_accuracy_results(JsonReader json);

// The means of figures over iterations, output by output. NaN propagates.
class FigureMeans {
 public:
  void add(const std::string& output, const Figures& figures);
  const std::string& output(size_t index) const { return sums_.at_index(index).first; }
  size_t size() const { return sums_.size(); }
  // Throws Error in the original's words when an iteration had nothing to measure.
  Figures mean(const std::string& output) const;

 private:
  struct Sums {
    Figures sums;
    int64_t iterations = 0;
    bool comparable = true;
  };
  OrderedMap<Sums> sums_;
};

// Writes results of a run as they come. Nothing exists under the file's name before finish().
class AccuracyWriter {
 public:
  // One comparison function per metric. Throws IoError.
  AccuracyWriter(const std::string& path, std::vector<const Metric*> metrics, bool average);
  ~AccuracyWriter();
  // One more pair of runners: they are numbered from 0 on. Throws IoError.
  void add_pair(std::string runner0, std::string runner1);
  // The next iteration of one pair by one function. Throws IoError.
  void add(size_t function, size_t pair,
           const std::vector<std::pair<std::string, OutputResult>>& outputs);
  // Of a function whose metric is null: each output has its own.
  void add(size_t function, size_t pair,
           const std::vector<std::pair<std::string, JudgedOutput>>& outputs);
  void finish(Logger& log);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace polygraphy
