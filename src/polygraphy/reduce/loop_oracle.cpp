#include "polygraphy/reduce/loop_oracle.h"

#include <utility>

#include "polygraphy/reduce/log_modules.h"

namespace polygraphy {

using graphsurgeon::Model;

bool LoopOracle::fails(const Model& model) {
  OneModel subject(model, write_);
  return !loop_.round(subject).verdict.passed;
}

bool LoopOracle::fails(const Question& question) {
  const auto [known, is_new] = known_.try_emplace(question.key, false);
  if (!is_new) return known->second;
  Model candidate = question.candidate();
  log_.info(log_modules::kReduce, question.about);
  for (int i = 0; i < tries_ && !known->second; ++i) known->second = fails(candidate);
  if (!known->second) return false;
  const ModelSize size = model_size(candidate);
  if (!smallest_ || size <= smallest_size_) {
    smallest_ = std::make_unique<Model>(std::move(candidate));
    smallest_size_ = size;
  }
  return true;
}

}  // namespace polygraphy
