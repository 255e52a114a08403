#include "polygraphy/diagnosis/model_checks/checked_backends.h"

#include <utility>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "polygraphy/diagnosis/debug_loop/failure_signature.h"

namespace polygraphy {
namespace {

using log_modules::kIterativeDebug;

constexpr std::string_view kRunner = "candidate";

}  // namespace

CheckResult verdict_of(const std::optional<ModelFailure>& failure, Logger& log) {
  if (!failure) return {.passed = true};
  log.error(kIterativeDebug, failure->message);
  return {.passed = false, .signature = failure->signature, .output = failure->output};
}

CheckedBackends::CheckedBackends(const ModelCheckOptions& options, const CheckTools& tools,
                                 Logger& log)
    : tools_(tools), log_(log), limit_(tools.timeout, tools.learned) {
  show_as_verbose(quiet_, log, kIterativeDebug);
  for (const RunnerSpec& runner : options.runners) {
    names_.push_back(runner.backend);
    WorkerRequest request{.runner = std::string(kRunner),
                          .backend = runner.backend,
                          .options = runner.session,
                          .library = runner.library,
                          .paths = tools.runners.paths};
    workers_.push_back(
        std::make_unique<WorkerClient>(tools.runners.program, std::move(request), quiet_));
    workers_.back()->set_cancel(tools.runners.cancel);
  }
}

// A failure of a back end is a failure of the candidate.
template <typename Step>
std::optional<ModelFailure> CheckedBackends::guarded(size_t backend, Step step) {
  const std::string& name = names_[backend];
  const auto failure = [&](std::string message, const std::string& how) {
    return ModelFailure{std::move(message), name + ": " + how, true};
  };
  workers_[backend]->set_timeout(limit_.left());
  try {
    step(*workers_[backend]);
    return std::nullopt;
  } catch (const WorkerTookTooLong&) {
    return failure(name + " was killed: the check took longer than " + format_g(limit_.limit(), 3) +
                       " s" + std::string(limit_.reason()),
                   "took too long");
  } catch (const WorkerDied& error) {
    return failure(error.what(), to_text(error.status()));
  } catch (const RunnerFailure& error) {
    return failure(error.what(), error_signature(error.what()));
  }
}

std::optional<ModelFailure> CheckedBackends::run(const std::string& model, const Judge& judge) {
  try {
    limit_.begin();
    Metadata inputs;
    std::optional<ModelFailure> failure = load(model, inputs);
    if (!failure) failure = run_samples(inputs, judge);
    std::optional<ModelFailure> at_end = unload();
    limit_.end();
    return failure ? failure : at_end;
  } catch (...) {
    // Answers may be outstanding.
    for (const auto& worker : workers_) worker->end();
    throw;
  }
}

std::optional<ModelFailure> CheckedBackends::load(const std::string& model, Metadata& inputs) {
  std::optional<ModelFailure> first;
  for (const auto& worker : workers_) worker->begin_load(model);
  for (size_t i = 0; i < workers_.size(); ++i) {
    auto failure = guarded(i, [&](WorkerClient& worker) {
      Metadata found = worker.finish_load();
      if (i == 0) inputs = std::move(found);
    });
    if (!first) first = std::move(failure);
  }
  return first;
}

std::optional<ModelFailure> CheckedBackends::run_samples(const Metadata& inputs,
                                                         const Judge& judge) {
  for (int64_t sample = 0;; ++sample) {
    std::optional<ValueMap> feed;
    try {
      feed = tools_.inputs(inputs, sample, log_);
    } catch (const CannotFeed& error) {
      log_.warning(
          kIterativeDebug,
          std::string("This candidate cannot be run, and counts as passed: ") + error.what());
      return std::nullopt;
    }
    if (!feed) {
      if (sample == 0) throw Error("no input data to run the model on");
      return std::nullopt;
    }
    std::vector<ValueMap> outputs(workers_.size());
    for (size_t i = 0; i < workers_.size(); ++i) {
      auto failure =
          guarded(i, [&](WorkerClient& worker) { outputs[i] = worker.infer(*feed).outputs; });
      if (failure) return failure;
    }
    if (auto failure = judge(sample, *feed, outputs)) return failure;
  }
}

std::optional<ModelFailure> CheckedBackends::unload() {
  std::optional<ModelFailure> first;
  for (size_t i = 0; i < workers_.size(); ++i) {
    if (!workers_[i]->running()) continue;
    auto failure = guarded(i, [](WorkerClient& worker) { worker.unload(); });
    if (!first) first = std::move(failure);
  }
  return first;
}

}  // namespace polygraphy
