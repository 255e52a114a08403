#include "polygraphy/diagnosis/autotune/lasting_runner.h"

#include <utility>

namespace polygraphy {

LastingRunner::LastingRunner(std::shared_ptr<Runner> runner)
    : Runner(runner->name()), runner_(std::move(runner)) {}

LastingRunner::~LastingRunner() {
  if (runner_->active()) runner_->deactivate();
}

void LastingRunner::activate_impl() {
  if (!runner_->active()) runner_->activate();
}

Inference LastingRunner::infer_impl(const ValueMap& feeds) {
  ValueMap outputs = runner_->infer(feeds);
  return {std::move(outputs), runner_->last_inference_seconds()};
}

}  // namespace polygraphy
