// A runner that stays loaded from one measurement to the next.
#pragma once

#include <memory>

#include "polygraphy/runtimes/backend/runner.h"

namespace polygraphy {

// Runs `runner`, under its name. Activation loads it the first time only; it is unloaded with this
// object. An engine that takes minutes to build is so built once, although a benchmark deactivates
// what it has measured.
class LastingRunner : public Runner {
 public:
  explicit LastingRunner(std::shared_ptr<Runner> runner);
  ~LastingRunner() override;

 protected:
  void activate_impl() override;
  void deactivate_impl() noexcept override {}
  Metadata input_metadata_impl() override { return runner_->input_metadata(); }
  Inference infer_impl(const ValueMap& feeds) override;

 private:
  std::shared_ptr<Runner> runner_;
};

}  // namespace polygraphy
