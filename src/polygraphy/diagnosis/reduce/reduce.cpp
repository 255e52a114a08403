#include "polygraphy/diagnosis/reduce/reduce.h"

#include <algorithm>
#include <utility>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "polygraphy/diagnosis/reduce/auto_reduce.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/candidate_files.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/candidate_tester.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/journal.h"
#include "polygraphy/diagnosis/reduce/classic_reduce.h"
#include "polygraphy/diagnosis/reduce/intermediates/intermediates.h"
#include "polygraphy/models/candidates/candidate_folder.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using log_modules::kReduce;

bool fits(const Array& value, const TensorInfo& info) {
  if (info.dtype != DataType::kUndefined && value.dtype() != info.dtype) return false;
  if (!info.shape) return true;
  if (info.shape->size() != value.shape().size()) return false;
  for (size_t i = 0; i < value.shape().size(); ++i) {
    const Dim& dim = (*info.shape)[i];
    if (dim.has_value() && dim.value() != value.shape()[i]) return false;
  }
  return true;
}

std::optional<ValueMap> feed_for(Intermediates& intermediates, const DataLoaderOptions& options,
                                 const Metadata& inputs, int64_t index, Logger& log) {
  const std::optional<ValueMap> sample = intermediates.inputs(index);
  if (!sample) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& [name, info] : inputs) names.push_back(name);
  const ArrayMap values = intermediates.values(names, index, log);
  ValueMap feed;
  Metadata missing;
  for (const auto& [name, info] : inputs) {
    const Array* value = values.find(name);
    const Value* other = value ? nullptr : sample->find(name);  // a sequence, say
    if (value && fits(*value, info)) {
      feed.set(name, *value);
    } else if (other) {
      feed.set(name, *other);
    } else {
      log.verbose(kReduce, "Input " + py_str_repr(name) + " gets generated values: " +
                               (value ? "it has another type or shape in the whole model"
                                      : "its values in the whole model are unknown"));
      missing.set(name, info);
    }
  }
  if (!missing.empty()) {
    Logger silent;
    try {
      for (auto& [name, value] : DataLoader(options, silent).generate(index, missing)) {
        feed.set(name, std::move(value));
      }
    } catch (const Error& error) {
      throw CannotFeed(error.what(), error.hint());
    }
  }
  return feed;
}

// The values on the user's samples. Inputs that cannot be computed, or have another type or shape
// in the candidate, are generated with `options` (logged at VERBOSE). `intermediates` must outlive
// the function.
CandidateInputs recorded_inputs(Intermediates& intermediates, DataLoaderOptions options) {
  options.model = nullptr;  // of another graph
  options.random = nullptr;
  options.announce_shapes = false;
  return [&intermediates, options = std::move(options)](const Metadata& inputs, int64_t sample,
                                                        Logger& log) {
    return feed_for(intermediates, options, inputs, sample, log);
  };
}

// Intermediates with separate feeds, and with a runner that may be shared in one thread.
struct OwnIntermediates {
  OwnIntermediates(const Model& model, const ReduceOptions& options, Logger& log,
                   std::shared_ptr<ActivationCache> values = std::make_shared<ActivationCache>(),
                   std::shared_ptr<SubmodelRunner> shared = nullptr)
      : runner(shared ? std::move(shared)
                      : std::make_shared<SubmodelRunner>(model, options.tools.program,
                                                         options.tools.paths, log,
                                                         options.tools.cancel)),
        feeds(feeds_of(options, log)),
        cache(std::move(values)),
        intermediates(model, *runner, *feeds, log, cache) {}

  std::shared_ptr<SubmodelRunner> runner;
  std::unique_ptr<FeedSource> feeds;
  std::shared_ptr<ActivationCache> cache;
  Intermediates intermediates;
};

// Whether the log shows runs of parts of the model.
bool tells_of_runs(const Logger& log) {
  const auto thresholds = log.thresholds();
  return std::any_of(thresholds.begin(), thresholds.end(),
                     [](const auto& module) { return module.second < Severity::kInfo; });
}

std::unique_ptr<Journal> open_journal(const JournalOptions& options, const Model& model,
                                      Logger& log) {
  auto journal = std::make_unique<Journal>(
      options.path,
      "model " + ModelFingerprints::with_contents(model).text() + ", check " + options.check.text(),
      options.resume);
  if (options.resume) {
    log.info(kReduce, "Continuing the journal " + options.typed + ": " +
                          std::to_string(journal->before().size()) + " verdict(s)");
  }
  return journal;
}

class Reducer {
 public:
  Reducer(const Model& model, const ReduceOptions& options, Logger& log)
      : model_(model),
        options_(options),
        log_(log),
        main_(std::make_shared<OwnIntermediates>(model, options, log)),
        ahead_(tells_of_runs(log)
                   ? OwnIntermediates(model, options, silent_)
                   : OwnIntermediates(model, options, silent_, main_->cache, main_->runner)) {
    // Checks that run side by side call it from their own threads.
    if (options.jobs > 1) of_checks_.emplace(model, options, silent_);
  }

  ReduceResult run() {
    Intermediates& for_checks = of_checks_ ? of_checks_->intermediates : main_->intermediates;
    CheckingOptions checking{
        .make_check = options_.check(recorded_inputs(for_checks, options_.generated)),
        .loop = options_.loop,
        .others = options_.same_failure || is_auto() ? OtherFailures::kPass : OtherFailures::kWarn,
        .jobs = options_.jobs,
        .cache = is_auto(),
        .cancel = options_.tools.cancel};
    WriteModel write = options_.write;
    std::optional<CandidateFolder> shared;
    if (!write) {
      shared.emplace(model_,
                     options_.shared_folder.empty() ? temporary_folder() : options_.shared_folder,
                     options_.links_weights ? DataPlacement::kLinks : DataPlacement::kCopies);
      checking.loop.artifact = shared->path("candidate.onnx");
      write = [&shared](const Model& candidate, const std::string& path, Logger&) {
        shared->write(candidate, path);
      };
    }
    std::unique_ptr<Journal> journal;
    if (options_.journal) journal = open_journal(*options_.journal, model_, log_);
    if (journal && !shared) {
      journal->write_candidates_to(candidate_paths(checking.loop.artifact, options_.jobs));
    }
    checking.journal = journal.get();
    CandidateTester test(std::move(checking), model_, std::move(write), main_->intermediates,
                         &ahead_.intermediates, log_);
    Reduction found = search(test);
    return {.bad = std::move(found.bad),
            .good = std::move(found.good),
            .interrupted = found.interrupted,
            .failure = test.failure(),
            .checks = test.checks(),
            .cached = test.cached(),
            .inputs = inputs()};
  }

 private:
  bool is_auto() const { return options_.mode == ReduceMode::kAuto; }

  Reduction search(CandidateTester& test) {
    if (is_auto()) {
      return auto_reduce(model_, main_->intermediates, test, log_, options_.start_at);
    }
    const ClassicOptions classic{
        .order = options_.mode == ReduceMode::kLinear ? MarkerOrder::kLinear : MarkerOrder::kBisect,
        .outputs = options_.outputs,
        .inputs = options_.inputs,
        .want_good = options_.want_good};
    return classic_reduce(model_, classic, main_->intermediates, test, log_);
  }

  // They outlive the job.
  CandidateInputs inputs() const {
    return [own = main_, values = recorded_inputs(main_->intermediates, options_.generated)](
               const Metadata& inputs, int64_t sample, Logger& log) {
      return values(inputs, sample, log);
    };
  }

  const Model& model_;
  const ReduceOptions& options_;
  Logger& log_;
  Logger silent_;  // for candidates that are made ahead
  std::shared_ptr<OwnIntermediates> main_;
  OwnIntermediates ahead_;
  std::optional<OwnIntermediates> of_checks_;
};

}  // namespace

std::unique_ptr<FeedSource> feeds_of(const ReduceOptions& options, Logger& log) {
  return options.feeds ? options.feeds(log) : generated_feeds(options.generated, log);
}

ReduceResult reduce(const Model& model, const ReduceOptions& options, Logger& log) {
  if (!options.check) throw Error("A reduction needs a check", "Set ReduceOptions::check.");
  if (!options.start_at.empty() && options.mode != ReduceMode::kAuto) {
    throw Error(kStartNeedsAuto, "The modes bisect and linear cannot start at a node",
                "Leave the nodes out, or use the mode auto.");
  }
  return Reducer(model, options, log).run();
}

}  // namespace polygraphy
