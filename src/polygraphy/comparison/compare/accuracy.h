// The comparison of each runner's results with the next one's, over all iterations.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "polygraphy/comparison/compare/accuracy/accuracy_writer.h"
#include "polygraphy/comparison/compare/accuracy/figure_means.h"
#include "polygraphy/comparison/compare/comparison_function.h"
#include "polygraphy/comparison/compare/metric_result.h"
#include "polygraphy/comparison/compare/pairs/pair_batches.h"
#include "polygraphy/comparison/compare/run_and_compare.h"
#include "polygraphy/comparison/compare/text_scores.h"
#include "polygraphy/comparison/verdict/tally.h"
#include "polygraphy/comparison/verdict/verdict.h"
#include "polygraphy/data/results/results.h"

namespace polygraphy {

// Outputs must be compared, but there is no iteration.
inline constexpr ErrorCode kNoIterations{"no-iterations"};

class AccuracyComparison {
 public:
  // Throws Error for options that a metric refuses, and IoError when results cannot be saved.
  AccuracyComparison(const CompareOptions& options, Logger& log);

  // The results of one iteration of all runners, in order; the same runners each time (else Error).
  // Compares neighbours, between which others may have failed. False: --fail-fast ends the
  // comparison here.
  bool add(const std::vector<IterationResult>& results);
  // Of `results`, those at the places in `ended` have no further iteration, others have: a warning,
  // and the reason of the verdict.
  void ran_out(size_t results, const std::vector<int64_t>& ended);
  // One line per pair of runners, when there was any iteration; with --check-average the verdict,
  // too. Throws Error when an average cannot be made.
  void summarize();
  // Finishes the file of results, if one is wanted.
  void save();
  // On everything up to now; with --check-average: on averages, known after summarize().
  Verdict verdict() const;
  // Whether the agreement of verdict() is kDiffers. Of outputs that are judged sample by sample:
  // O(pairs of runners).
  bool differs() const;
  // All samples up to now, if CompareOptions::record wants them.
  RunRecord record() const;
  int64_t iterations() const { return iterations_; }

 private:
  struct Pair {
    size_t place0, place1;  // in the list of runners
    std::string runner0, runner1;
    std::string file0, file1;  // of saved results
    bool turned = false;       // the second is the reference
    int64_t passed = 0, total = 0;
    std::vector<FigureMeans> means = {};     // by function; --check-average
    Tally tally = {};                        // of its outputs
    std::vector<JudgedSample> samples = {};  // for CompareOptions::record
  };

  void check_runners(const std::vector<IterationResult>& results);
  std::vector<size_t> pairs_of(const std::vector<IterationResult>& results);
  bool compare_pair(size_t index, const IterationResult& result0, const IterationResult& result1);
  void show(const std::vector<ComparedPair>& compared, const std::vector<OutputResults>& found,
            const Pair& pair, const IterationResult& result0, const IterationResult& result1);
  void show_unmatched(size_t pairs, const std::vector<OutputResults>& found, const Pair& pair,
                      const IterationResult& result0, const IterationResult& result1);
  void show_unpaired(const std::vector<ComparedPair>& compared, const Pair& pair,
                     const IterationResult& result0, const IterationResult& result1);
  void judge_means(Pair& pair);
  static JudgedSample judged(const std::vector<ComparedPair>& compared,
                             const std::vector<OutputResults>& found,
                             const IterationResult& result0, const IterationResult& result1);
  bool judges_together() const;
  void count(JudgedSample sample, Pair& pair);
  std::string measure() const;
  Verdict verdict_of_pairs() const;

  const CompareOptions options_;
  Logger& log_;
  std::vector<std::unique_ptr<ComparisonFunction>> functions_;
  std::vector<std::string> runners_;
  std::vector<Pair> pairs_;
  std::unique_ptr<AccuracyWriter> writer_;  // null: results are not saved
  TextScores scores_;                       // if the results are of a text
  int64_t iterations_ = 0;
  bool ran_out_ = false;
};

}  // namespace polygraphy
