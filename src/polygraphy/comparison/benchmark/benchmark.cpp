#include "polygraphy/comparison/benchmark/benchmark.h"

#include <algorithm>
#include <map>

#include "base/clock.h"
#include "base/log_modules.h"
#include "base/os/process_memory.h"
#include "base/progress.h"
#include "polygraphy/data/inputs/adapt_feed.h"
#include "polygraphy/data/tensors/flat_names.h"

namespace polygraphy {
namespace {

constexpr int64_t kRounds = 10;
constexpr size_t kProfiledRuns = 10;

std::string shapes_text(const ArrayMap& feed) {
  std::string text;
  for (const auto& [name, array] : feed) {
    text += (text.empty() ? "" : " ") + name + ":[";
    for (size_t i = 0; i < array.shape().size(); ++i) {
      text += (i == 0 ? "" : ",") + std::to_string(array.shape()[i]);
    }
    text += "]";
  }
  return text;
}

// The first dimension that all inputs have where the model leaves it open; else 0.
int64_t batch_of(const ArrayMap& feed, const Metadata& inputs) {
  int64_t batch = 0;
  for (const auto& [name, array] : feed) {
    const TensorInfo* info = inputs.find(name);
    if (info == nullptr || !info->shape || info->shape->empty() || array.shape().empty() ||
        info->shape->front().is_static()) {
      continue;
    }
    if (batch != 0 && batch != array.shape().front()) return 0;
    batch = array.shape().front();
  }
  return batch;
}

class Benchmark {
 public:
  Benchmark(const Runners& runners, std::span<const BenchmarkCase> cases,
            const BenchmarkOptions& options, Logger& log)
      : runners_(runners), cases_(cases), options_(options), log_(log) {}
  ~Benchmark() {
    for (const auto& runner : runners_) {
      if (runner->active()) runner->deactivate();
    }
  }
  Benchmark(const Benchmark&) = delete;
  Benchmark& operator=(const Benchmark&) = delete;

  BenchmarkReport run() {
    for (const BenchmarkCase& one : cases_) {
      report_.cases.push_back({{}, one.batch, std::vector<BenchmarkFigures>(runners_.size())});
    }
    phase_.emplace("run", all_steps());
    for (size_t i = 0; i < runners_.size(); ++i) load(i);
    for (size_t c = 0; c < cases_.size(); ++c) measure(c);
    for (auto& row : report_.cases) {
      for (size_t i = 0; i < runners_.size(); ++i) {
        row.figures[i].runner = report_.runners[i].name;
        row.figures[i].batch = row.batch;
      }
    }
    return std::move(report_);
  }

 private:
  // One after the other, each with its first runs: so what memory grows by is this runner's.
  void load(size_t i) {
    options_.cancel.check();
    Runner& runner = *runners_[i];
    report_.runners.push_back({runner.name(), 0, {}});
    log_.start(log_modules::kBenchmark, "Loading " + runner.name());
    const uint64_t before = resident_memory();
    const double start = seconds_now();
    try {
      runner.activate();
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      report_.runners[i].failure = error.what();
      log_failure(error);
      for (auto& row : report_.cases) row.figures[i].failure = error.what();
    }
    if (runner.active()) report_.runners[i].load_seconds = seconds_now() - start;
    for (size_t c = 0; c < cases_.size(); ++c) {
      step(i, c, [&] {
        // Its own inputs, so that every runner's memory has them.
        const ValueMap feed = fitted(feed_of(c), i);
        const bool exact = reset_peak_memory();
        runner.infer(feed);
        const uint64_t peak = peak_memory();
        // Without a reset the peak may be an earlier case's.
        if (peak > before && (exact || c == 0)) {
          report_.cases[c].figures[i].peak_bytes = peak - before;
        }
      });
    }
  }

  void log_failure(const Error& error) {
    const std::string advice = options_.advice ? options_.advice(error) : error.hint();
    log_.error(log_modules::kBenchmark, error.what() + (advice.empty() ? "" : "\n" + advice));
  }

  // The inputs of a case, made for the first runner that could be loaded.
  ValueMap feed_of(size_t c) {
    const auto first = std::find_if(runners_.begin(), runners_.end(),
                                    [](const auto& runner) { return runner->active(); });
    ValueMap feed = cases_[c].feed((*first)->input_metadata());
    auto& row = report_.cases[c];
    if (row.inputs.empty()) row.inputs = shapes_text(flatten(feed));
    if (row.batch == 0) row.batch = batch_of(tensors_of(feed), (*first)->input_metadata());
    return feed;
  }

  ValueMap fitted(const ValueMap& feed, size_t i) {
    return adapt_feed(feed, runners_[i]->input_metadata(), log_);
  }

  template <typename Action>
  void try_run(size_t i, size_t c, Action action) {
    options_.cancel.check();
    BenchmarkFigures& figures = report_.cases[c].figures[i];
    if (!figures.failure.empty()) return;
    try {
      action();
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      figures = {};
      figures.failure = error.what();
      log_failure(error);
    }
  }

  // A run, or the place of one that a failed runner does not get.
  template <typename Action>
  void step(size_t i, size_t c, Action action) {
    try_run(i, c, action);
    phase_->step();
  }

  int64_t rounds() const { return std::min(kRounds, options_.runs); }
  int64_t further_warm_up() const {  // load() ran it once
    return std::max<int64_t>(options_.warm_up - 1, 0);
  }
  int64_t all_steps() const {
    const int64_t not_counted_in_turns = runners_.size() > 1 ? rounds() : 0;
    return static_cast<int64_t>(runners_.size() * cases_.size()) *
           (1 + further_warm_up() + not_counted_in_turns + options_.runs);
  }

  void measure(size_t c) {
    std::vector<ValueMap> feeds(runners_.size());
    std::optional<ValueMap> made;
    for (size_t i = 0; i < runners_.size(); ++i) {
      try_run(i, c, [&] {
        if (!made) made = feed_of(c);
        feeds[i] = fitted(*made, i);
      });
    }
    if (made) log_.start(log_modules::kBenchmark, "Measuring " + report_.cases[c].inputs);
    for (size_t i = 0; i < runners_.size(); ++i) {
      for (int64_t run = 0; run < further_warm_up(); ++run) {
        step(i, c, [&] { runners_[i]->infer(feeds[i]); });
      }
    }
    for (int64_t round = 0; round < rounds(); ++round) {
      const int64_t runs =
          options_.runs * (round + 1) / rounds() - options_.runs * round / rounds();
      for (size_t turn = 0; turn < runners_.size(); ++turn) {
        const size_t i = (turn + static_cast<size_t>(round)) % runners_.size();
        take_turn(i, c, feeds[i], runs);
      }
    }
    for (BenchmarkFigures& figures : report_.cases[c].figures) {
      if (figures.failure.empty()) figures.latencies = latencies_of(figures.seconds);
    }
  }

  void take_turn(size_t i, size_t c, const ValueMap& feed, int64_t runs) {
    Runner& runner = *runners_[i];
    if (runners_.size() > 1) step(i, c, [&] { runner.infer(feed); });
    for (int64_t run = 0; run < runs; ++run) {
      step(i, c, [&] {
        runner.infer(feed);
        report_.cases[c].figures[i].seconds.push_back(runner.last_inference_seconds());
      });
    }
  }

  const Runners& runners_;
  std::span<const BenchmarkCase> cases_;
  const BenchmarkOptions& options_;
  Logger& log_;
  BenchmarkReport report_;
  std::optional<ProgressPhase> phase_;  // of all runs
};

// The nodes of several runs, each with the median of what it took; in a run, rows of one node (it
// may be in a loop) count together.
std::vector<NodeTime> slowest_first(const std::vector<std::vector<NodeTime>>& runs) {
  std::vector<NodeTime> nodes;
  std::vector<std::vector<double>> times;  // by node and run
  std::map<std::pair<std::string, std::string>, size_t> places;
  for (size_t run = 0; run < runs.size(); ++run) {
    for (const NodeTime& row : runs[run]) {
      const auto [place, is_new] = places.emplace(std::pair(row.node, row.op), nodes.size());
      if (is_new) {
        nodes.push_back(row);
        nodes.back().order = static_cast<int64_t>(nodes.size()) - 1;
        times.emplace_back(runs.size());
      }
      times[place->second][run] += row.microseconds;
    }
  }
  for (size_t i = 0; i < nodes.size(); ++i) nodes[i].microseconds = latencies_of(times[i]).p50;
  std::stable_sort(nodes.begin(), nodes.end(), [](const NodeTime& a, const NodeTime& b) {
    return a.microseconds > b.microseconds;
  });
  return nodes;
}

std::vector<NodeTime> profile(Runner& runner, const ValueMap& feed) {
  std::vector<std::vector<NodeTime>> runs;
  while (runs.size() < kProfiledRuns) {
    runner.infer(feed);
    try {
      runs.push_back(runner.node_times());
    } catch (const Error&) {
      if (runs.empty()) throw;
      break;  // older libraries time one run
    }
  }
  return slowest_first(runs);
}

}  // namespace

bool BenchmarkReport::measured() const {
  return std::ranges::any_of(cases, [](const CaseRow& row) {
    return std::ranges::any_of(row.figures, [](const auto& of) { return !of.seconds.empty(); });
  });
}

bool BenchmarkReport::failed() const {
  const auto has_failed = [](const auto& row) { return !row.failure.empty(); };
  return std::any_of(runners.begin(), runners.end(), has_failed) ||
         std::any_of(cases.begin(), cases.end(), [&](const CaseRow& row) {
           return std::any_of(row.figures.begin(), row.figures.end(), has_failed);
         });
}

BenchmarkReport run_benchmark(const Runners& runners, std::span<const BenchmarkCase> cases,
                              const BenchmarkOptions& options, Logger& log) {
  return Benchmark(runners, cases, options, log).run();
}

void add_node_times(const Runners& profiled, std::span<const BenchmarkCase> cases,
                    BenchmarkReport& report, Logger& log) {
  for (size_t i = 0; i < profiled.size(); ++i) {
    if (!report.runners[i].failure.empty()) continue;
    try {
      ActiveRunner runner(*profiled[i]);
      for (size_t c = 0; c < cases.size(); ++c) {
        BenchmarkFigures& figures = report.cases[c].figures[i];
        if (!figures.failure.empty()) continue;
        const Metadata& inputs = runner->input_metadata();
        const ValueMap feed = adapt_feed(cases[c].feed(inputs), inputs, log);
        runner.infer(feed);  // the first run also plans
        figures.nodes = profile(*profiled[i], feed);
      }
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      log.warning(log_modules::kBenchmark,
                  "No times of single nodes: " + std::string(error.what()));
    }
  }
}

}  // namespace polygraphy
