#include "polygraphy/diagnosis/autotune/side_by_side.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "base/log_modules.h"
#include "base/os/device_turn.h"
#include "polygraphy/comparison/benchmark/latencies.h"
#include "polygraphy/runtimes/backend/runner.h"

namespace polygraphy {

namespace {

// Runs `runner`, under its name. Activation loads it the first time only; it is unloaded with this
// object. An engine that takes minutes to build is so built once, although a benchmark deactivates
// what it has measured.
class LastingRunner : public Runner {
 public:
  explicit LastingRunner(std::shared_ptr<Runner> runner)
      : Runner(runner->name()), runner_(std::move(runner)) {}
  ~LastingRunner() override {
    if (runner_->active()) runner_->deactivate();
  }

 protected:
  void activate_impl() override {
    if (!runner_->active()) runner_->activate();
  }
  void deactivate_impl() noexcept override {}
  Metadata input_metadata_impl() override { return runner_->input_metadata(); }
  Inference infer_impl(const ValueMap& feeds) override {
    ValueMap outputs = runner_->infer(feeds);
    return {std::move(outputs), runner_->last_inference_seconds()};
  }

 private:
  std::shared_ptr<Runner> runner_;
};

RunnerSpec measured(const MeasureOptions& options, const std::string& name) {
  RunnerSpec spec = options.runner;
  spec.name = name;
  if (options.timing_cache.empty()) return spec;
  std::error_code none;
  if (std::filesystem::exists(options.timing_cache, none))
    spec.session.options.emplace_back("load_timing_cache", std::vector{options.timing_cache});
  spec.session.options.emplace_back("save_timing_cache", std::vector{options.timing_cache});
  return spec;
}

}  // namespace

bool is_faster(std::span<const double> candidate, std::span<const double> than) {
  if (!(latencies_of(candidate).p50 < latencies_of(than).p50)) return false;
  const size_t pairs = std::min(candidate.size(), than.size());
  size_t won = 0;
  for (size_t i = 0; i < pairs; ++i) won += candidate[i] < than[i];
  return 5 * won >= 4 * pairs;
}

LoadedModel SideBySide::load(const ModelSource& model, const std::string& name) {
  options_.cancel.check();
  // TensorRT times kernels when it loads a model, and loading would disturb others that time.
  const DeviceTurn turn(options_.device, options_.cancel);
  auto runner =
      std::make_shared<LastingRunner>(factory_.make(measured(options_, name), model, log_));
  runner->activate();
  runner->deactivate();  // measurements activate it, without loading it again
  return runner;
}

BenchmarkReport SideBySide::run(const Runners& runners) {
  Logger quiet;
  show_as_verbose(quiet, log_, log_modules::kBenchmark);
  const auto remember = [this](const Error& error) {
    failure_ = error;
    return error.hint();
  };
  const BenchmarkOptions options{.warm_up = options_.warm_up,
                                 .runs = options_.runs,
                                 .cancel = options_.cancel,
                                 .advice = remember};
  const DeviceTurn turn(options_.device, options_.cancel);
  BenchmarkReport report = run_benchmark(runners, std::span(&options_.inputs, 1), options, quiet);
  inputs_ = report.cases.front().inputs;
  return report;
}

double SideBySide::measure(const LoadedModel& model) {
  const BenchmarkReport report = run({model});
  const BenchmarkFigures& figures = report.cases.front().figures.front();
  if (!figures.failure.empty()) throw failure_.value_or(Error(figures.failure));
  return figures.latencies.p50;
}

Duel SideBySide::compare(const LoadedModel& best, const LoadedModel& candidate) {
  const BenchmarkReport report = run({best, candidate});
  const BenchmarkFigures& old = report.cases.front().figures[0];
  const BenchmarkFigures& fresh = report.cases.front().figures[1];
  if (!old.failure.empty()) throw BestFailed(old.failure);
  if (!fresh.failure.empty()) throw Error(fresh.failure);
  return {old.latencies.p50, fresh.latencies.p50, is_faster(fresh.seconds, old.seconds)};
}

}  // namespace polygraphy
