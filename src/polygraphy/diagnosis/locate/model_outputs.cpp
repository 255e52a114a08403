#include "polygraphy/diagnosis/locate/model_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <iterator>
#include <utility>

#include "base/progress.h"
#include "polygraphy/comparison/run/open_dimensions.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/diagnosis/locate/judging/ratio_in_place.h"
#include "polygraphy/diagnosis/locate/judging/rules.h"
#include "polygraphy/diagnosis/locate/measuring/model_runs.h"
#include "polygraphy/diagnosis/locate/measuring/side_runs.h"
#include "polygraphy/models/noise/tensor_error.h"

namespace polygraphy {
namespace {

bool are_equal(const std::vector<ArrayMap>& all, const std::vector<ArrayMap>& again) {
  for (size_t i = 0; i < all.size(); ++i) {
    for (const auto& [name, array] : all[i]) {
      const Array* other = again[i].find(name);
      if (!other || other->shape() != array.shape() || other->dtype() != array.dtype() ||
          !bitwise_equal(array, *other))
        return false;
    }
  }
  return true;
}

// Files of all tensors lack those that no node makes: of these outputs, leaves those that are
// saved.
void keep_saved(const std::vector<std::string>& unmade, const std::vector<ArrayMap>& saved,
                std::vector<ArrayMap>& outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    ArrayMap kept;
    for (auto& [name, array] : outputs[i]) {
      if (saved[i].contains(name) || std::ranges::find(unmade, name) == unmade.end())
        kept.set(name, std::move(array));
    }
    outputs[i] = std::move(kept);
  }
}

}  // namespace

ModelOutputs::ModelOutputs(const LocateRun& run, const WholeModel& model,
                           const std::vector<ValueMap>& feeds, Logger& log)
    : run_(run),
      model_(model),
      feeds_(feeds),
      log_(log),
      reference_(side_of(run.job.reference, true)),
      target_(side_of(run.job.target, false)),
      same_runner_(!run.reference_model && is_same_runner(run.job.reference, run.job.target)) {
  const ProgressPhase phase("running the model as it is");
  if (same_runner_) {
    run_once(run.job.target, run.target, target_, &reference_.samples);
    reference_.source = target_.source;
    return;
  }
  run_once(run.job.reference, run.reference, reference_);
  run_once(run.job.target, run.target, target_);
  if (!run.reference) keep_saved(model.unmade_outputs(), reference_.samples, target_.samples);
  if (!run.target) keep_saved(model.unmade_outputs(), target_.samples, reference_.samples);
}

ModelOutputs::Side ModelOutputs::side_of(const LocateSide& side, bool of_reference) const {
  Side result{{.name = name_of(side), .samples = {}}, run_.job.model, &model_, &feeds_};
  if (of_reference && run_.reference_model) {
    result.source = *run_.job.reference_model;
    result.model = &run_.reference_model->model();
    result.feeds = &run_.reference_feeds;
  }
  return result;
}

ArrayMap ModelOutputs::renamed(const Side& side, ArrayMap outputs) const {
  return side.model == &model_ ? std::move(outputs) : run_.reference_model->renamed(outputs);
}

void ModelOutputs::run_once(const LocateSide& which, const std::optional<RunnerMaker>& maker,
                            Side& side, std::vector<ArrayMap>* again) {
  std::vector<std::string> names = side.model->outputs();
  std::ranges::copy(side.model->unmade_outputs(), std::back_inserter(names));
  const auto run = [&] {
    side.samples.assign(feeds_.size(), {});
    if (again) {
      again->assign(feeds_.size(), {});
      return run_samples(
          *maker, side.source, std::ssize(feeds_), 2,
          [&](int64_t sample, int64_t) { return (*side.feeds)[static_cast<size_t>(sample)]; },
          [&](int64_t sample, int64_t time, ArrayMap outputs) {
            (time == 0 ? side.samples : *again)[static_cast<size_t>(sample)] = std::move(outputs);
          },
          run_.job.cancel);
    }
    run_side(
        which, maker, side.source, names, *side.feeds,
        [&](int64_t sample, ArrayMap tensors) {
          side.samples[static_cast<size_t>(sample)] = renamed(side, std::move(tensors));
        },
        run_.job.cancel, log_);
  };
  try {
    run();
  } catch (const RunnerFailure& refusal) {
    if (!side.model->inlined()) {
      if (!run_.generated_feeds) throw;
      rethrow_with_open_dimensions(refusal, side.model->given_inputs(), side.feeds->front());
    }
    const std::exception_ptr of_model = std::current_exception();
    side.source = side.model->with_outputs({});
    try {
      run();
    } catch (const RunnerFailure&) {
      std::rethrow_exception(of_model);
    }
    notes_.push_back(fmt::format("{} runs the model with its local functions inlined: {}",
                                 side.name, refusal.what()));
  }
}

std::unordered_set<std::string> ModelOutputs::differing() const {
  std::unordered_set<std::string> names;
  for (size_t sample = 0; sample < feeds_.size(); ++sample) {
    for (const auto& [name, reference] : reference_.samples[sample]) {
      const Array* observed = target_.samples[sample].find(name);
      if (!observed || bitwise_equal(reference, *observed)) continue;
      const auto item = item_of_array(name);
      names.insert(item ? std::string(item->sequence) : name);
    }
  }
  return names;
}

bool ModelOutputs::is_alike(const Array& as_it_is, const Array& marked) const {
  if (as_it_is.dtype() != marked.dtype() || as_it_is.shape() != marked.shape()) return false;
  if (bitwise_equal(as_it_is, marked)) return true;
  const auto format = coarser(run_.job.format, as_it_is.dtype());
  if (!format) return false;
  const TensorError error = measure_error(as_it_is, marked);
  return error.non_finite_mismatches == 0 &&
         error.relative() <= std::exp2(-rules::kSameDigits * significant_digits(*format));
}

void ModelOutputs::read_marked(const std::vector<ArrayMap>& tensors) {
  if (!same_runner_) return;
  for (size_t sample = 0; sample < feeds_.size(); ++sample) {
    for (const auto& [name, array] : target_.samples[sample]) {
      const Array* marked = tensors[sample].find(name);
      if (marked && is_alike(array, *marked)) alike_.emplace(sample, name);
    }
  }
}

bool ModelOutputs::run_second_session() {
  if (!same_runner_ || !differing().empty()) return false;
  const std::vector<std::string>& unmade = model_.unmade_outputs();
  bool is_confirmed = true;
  for (size_t sample = 0; sample < feeds_.size(); ++sample) {
    for (const auto& [name, array] : target_.samples[sample]) {
      is_confirmed &=
          alike_.contains({sample, name}) || std::ranges::find(unmade, name) != unmade.end();
    }
  }
  if (is_confirmed) return false;
  const ProgressPhase phase("running the model as it is");
  run_once(run_.job.target, run_.target, target_);
  return !differing().empty();
}

RunRecord ModelOutputs::by_noise(const Measurements& measurements) const {
  return outputs_by_noise(run_, model_, feeds_, reference_, target_, measurements, true, log_);
}

RunRecord ModelOutputs::by_check() const {
  return outputs_by_check(run_, feeds_, reference_, target_);
}

bool ModelOutputs::exceeds_noise(const Measurements& measurements) const {
  for (size_t sample = 0; sample < feeds_.size(); ++sample) {
    for (const auto& [name, reference] : reference_.samples[sample]) {
      const Array* observed = target_.samples[sample].find(name);
      if (observed &&
          is_off_in_place(run_.job, model_, measurements, name, sample, reference, *observed))
        return true;
    }
  }
  return false;
}

std::string ModelOutputs::variation(const Measurements& measurements) const {
  const ProgressPhase phase("running the model again");
  const std::string of_target = variation(target_, run_.target, measurements);
  return of_target.empty() ? variation(reference_, run_.reference, measurements) : of_target;
}

std::string ModelOutputs::variation(const Side& side, const std::optional<RunnerMaker>& maker,
                                    const Measurements& measurements) const {
  if (!maker) return {};
  std::vector<SideOutputs> again(rules::kRepetitions,
                                 {side.name, std::vector<ArrayMap>(feeds_.size())});
  try {
    run_samples(
        *maker, side.source, static_cast<int64_t>(feeds_.size()), rules::kRepetitions,
        [&](int64_t sample, int64_t) { return (*side.feeds)[static_cast<size_t>(sample)]; },
        [&](int64_t sample, int64_t time, ArrayMap outputs) {
          again[static_cast<size_t>(time)].samples[static_cast<size_t>(sample)] =
              renamed(side, std::move(outputs));
        },
        run_.job.cancel);
  } catch (const RunnerFailure& failure) {
    return fmt::format("{} fails on the same input: {}", side.name, failure.what());
  }
  for (const SideOutputs& outputs : again) {
    if (are_equal(side.samples, outputs.samples)) continue;
    const Verdict verdict = verdict_on(
        model_, outputs_by_noise(run_, model_, feeds_, side, outputs, measurements, true, log_));
    if (verdict.failed()) return headline(verdict);
  }
  return {};
}

}  // namespace polygraphy
