#include "polygraphy/compare/postprocess_results.h"

#include "polygraphy/compare/log_modules.h"
#include "polygraphy/compare/per_output.h"

namespace polygraphy {
namespace {

using log_modules::kComparator;

void apply(TensorMap& outputs, const OutputFunctions& functions) {
  for (auto& [name, array] : outputs) {
    const std::string* key = key_for(functions, name);
    if (key != nullptr) array = (*functions.find(*key))->apply(name, array);
  }
}

std::string name_of_all(const OutputFunctions& functions) {
  return std::string(functions.at_index(0).second->name());
}

class Postprocessed : public ResultStream {
 public:
  Postprocessed(std::unique_ptr<ResultStream> stream, const OutputFunctions& functions, Logger& log)
      : stream_(std::move(stream)), functions_(functions), log_(log) {}

  std::optional<std::vector<IterationResult>> next() override {
    if (!announced_) {
      announced_ = true;
      log_.verbose(kComparator,
                   "Will apply post-processing to streamed outputs: " + name_of_all(functions_));
    }
    auto results = stream_->next();
    if (results) {
      for (IterationResult& result : *results) apply(result.outputs, functions_);
    }
    return results;
  }
  void close() override { stream_->close(); }
  void abandon() noexcept override { stream_->abandon(); }

 private:
  std::unique_ptr<ResultStream> stream_;
  const OutputFunctions& functions_;
  Logger& log_;
  bool announced_ = false;
};

}  // namespace

std::unique_ptr<ResultStream> postprocessed(std::unique_ptr<ResultStream> stream,
                                            const OutputFunctions& functions, Logger& log) {
  return std::make_unique<Postprocessed>(std::move(stream), functions, log);
}

void postprocess_run(RunResults& run, const OutputFunctions& functions, Logger& log) {
  log.start(kComparator, "Applying post-processing to outputs: " + name_of_all(functions));
  for (auto& [name, iterations] : run.runners) {
    for (IterationResult& result : iterations) apply(result.outputs, functions);
  }
  log.finish(kComparator, "Finished applying post-processing");
}

}  // namespace polygraphy
