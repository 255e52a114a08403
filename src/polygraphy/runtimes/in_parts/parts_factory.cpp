#include "polygraphy/runtimes/in_parts/parts_factory.h"

#include <utility>

#include "base/log_modules.h"

namespace polygraphy {

PartsFactory::PartsFactory(RunnerFactory& factory, PartSize size, Logger& log)
    : RunnerFactory(factory.tools(), log), factory_(factory), size_(std::move(size)) {
  show_as_verbose(quiet_, log, log_modules::kRun);
}

std::shared_ptr<Runner> PartsFactory::make(const RunnerSpec& spec, const ModelSource& model,
                                           Logger& log) {
  return parts_runner(spec, model, size_, factory_, log, quiet_);
}

}  // namespace polygraphy
