#include "polygraphy/diagnosis/consistency/repetition.h"

#include <utility>

#include "base/error.h"

namespace polygraphy {
namespace {

constexpr int kRepetitions = 6;  // an engine may be wrong in a few runs only

}  // namespace

void Repetition::run() {
  const auto once = [&](bool& ran, void (Repetition::*runs)()) {
    if (std::exchange(ran, true)) return;
    try {
      (this->*runs)();
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      if (failure_.empty()) failure_ = error.what();
    }
  };
  once(samples_ran_, &Repetition::run_samples);
  if (batch_.in_use()) once(batch_ran_, &Repetition::run_batch);
}

std::optional<OutputDifference> Repetition::difference() const {
  if (again_.verdict() != ConsistencyVerdict::kDiffers) return std::nullopt;
  return again_.worst();
}

void Repetition::run_samples() {
  for (int i = 0; i < kRepetitions; ++i) again_.compare(runs_.expected(), runs_.infer_samples());
  if (!runs_.engine().backend.empty()) again_.compare(runs_.expected(), runs_.run({}));
}

void Repetition::run_batch() {
  for (int i = 0; i < kRepetitions; ++i) again_.compare(batch_.together(), batch_.all());
}

}  // namespace polygraphy
