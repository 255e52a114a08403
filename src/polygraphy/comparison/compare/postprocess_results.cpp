#include "polygraphy/comparison/compare/postprocess_results.h"

#include "base/log_modules.h"
#include "polygraphy/comparison/compare/metrics/shared/per_output.h"

namespace polygraphy {
namespace {

using log_modules::kComparator;

class OutputFunctionsEdit : public ResultEdit {
 public:
  explicit OutputFunctionsEdit(const OutputFunctions& functions) : functions_(functions) {}

  std::string name() const override { return std::string(functions_.at_index(0).second->name()); }
  void apply(IterationResult& result) override {
    for (auto& [name, array] : result.outputs) {
      if (const auto* function = entry_for(functions_, name))
        array = (*function)->apply(name, array);
    }
  }

 private:
  const OutputFunctions& functions_;
};

class Postprocessed : public ResultStream {
 public:
  Postprocessed(std::unique_ptr<ResultStream> stream, std::shared_ptr<ResultEdit> edit, Logger& log)
      : stream_(std::move(stream)), edit_(std::move(edit)), log_(log) {}

  std::optional<std::vector<IterationResult>> next() override {
    if (!announced_) {
      announced_ = true;
      log_.verbose(kComparator, "Will apply post-processing to streamed outputs: " + edit_->name());
    }
    auto results = stream_->next();
    if (!results) return results;
    for (IterationResult& result : *results) {
      if (!result.failed) edit_->apply(result);
    }
    return results;
  }
  void close() override { stream_->close(); }
  void abandon() noexcept override { stream_->abandon(); }

 private:
  std::unique_ptr<ResultStream> stream_;
  std::shared_ptr<ResultEdit> edit_;
  Logger& log_;
  bool announced_ = false;
};

}  // namespace

std::shared_ptr<ResultEdit> edit_of(const OutputFunctions& functions) {
  return std::make_shared<OutputFunctionsEdit>(functions);
}

std::shared_ptr<ResultEdit> result_edit(const CompareOptions& options) {
  if (options.postprocess_script) return options.postprocess_script;
  if (options.postprocess.empty()) return nullptr;
  return edit_of(options.postprocess);
}

std::unique_ptr<ResultStream> postprocessed(std::unique_ptr<ResultStream> stream,
                                            std::shared_ptr<ResultEdit> edit, Logger& log) {
  return std::make_unique<Postprocessed>(std::move(stream), std::move(edit), log);
}

void postprocess_run(RunResults& run, ResultEdit& edit, Logger& log) {
  log.start(kComparator, "Applying post-processing to outputs: " + edit.name());
  for (auto& [name, iterations] : run.runners) {
    for (IterationResult& result : iterations) {
      if (!result.failed) edit.apply(result);
    }
  }
  log.finish(kComparator, "Finished applying post-processing");
}

}  // namespace polygraphy
