#include "polygraphy/diagnosis/locate/measuring/measure_alone.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/log_modules.h"
#include "base/progress.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/diagnosis/locate/judging/rules.h"
#include "polygraphy/diagnosis/locate/judging/tensor_judge.h"
#include "polygraphy/diagnosis/locate/measuring/failing_runs.h"
#include "polygraphy/diagnosis/locate/measuring/model_runs.h"
#include "polygraphy/diagnosis/locate/measuring/noisy_runs.h"
#include "polygraphy/diagnosis/locate/models/in_type.h"
#include "polygraphy/diagnosis/locate/models/spans.h"

namespace polygraphy {
namespace {

// The tensors that nodes of the target's model are fed when they run without those before them.
class FedValues {
 public:
  // `values`: the reference's, by sample. The arguments outlive it.
  FedValues(const LocateRun& run, const std::vector<ArrayMap>& values,
            const Measurements& measurements);

  // Null: it has no such tensor.
  const Array* reference(int64_t sample, const std::string& name) const;
  // The same as the target's nodes read it: another model may compute it in another type.
  const Array* fed(int64_t sample, const std::string& name) const;
  // Of the inputs of an exploded model.
  ValueMap feed(const ExplodedModel& exploded, int64_t sample) const;
  // As a stochastic evaluation reads them.
  ValueMap rounded(const ExplodedModel& exploded, int64_t sample, int64_t evaluation) const;

 private:
  const LocateRun& run_;
  const std::vector<ArrayMap>& values_;
  std::vector<ArrayMap> in_own_types_;  // of values of another model, by sample
};

FedValues::FedValues(const LocateRun& run, const std::vector<ArrayMap>& values,
                     const Measurements& measurements)
    : run_(run), values_(values) {
  if (!run.reference_model) return;
  for (const ArrayMap& of_sample : values) {
    ArrayMap& own = in_own_types_.emplace_back();
    for (const auto& [name, array] : of_sample) {
      const auto measured = measurements.find(name);
      own.set(name, measured == measurements.end() ? array : in_type(array, measured->second.type));
    }
  }
}

const Array* FedValues::reference(int64_t sample, const std::string& name) const {
  return values_[static_cast<size_t>(sample)].find(name);
}

const Array* FedValues::fed(int64_t sample, const std::string& name) const {
  return in_own_types_.empty() ? reference(sample, name)
                               : in_own_types_[static_cast<size_t>(sample)].find(name);
}

ValueMap FedValues::feed(const ExplodedModel& exploded, int64_t sample) const {
  ValueMap values;
  for (const std::string& name : exploded.inputs) values.set(name, *fed(sample, name));
  return values;
}

ValueMap FedValues::rounded(const ExplodedModel& exploded, int64_t sample,
                            int64_t evaluation) const {
  const LocateJob& job = run_.job;
  const ValueMap typed = feed(exploded, sample);
  if (run_.reference_is_coarser) return moved_feed(typed, job.format, job.seed, evaluation);
  if (!run_.reference_model) return rounded_feed(typed, job.format, job.seed, evaluation);
  // Inputs of the model as the reference has them, before they are of the target's types.
  const ValueMap given =
      run_.reference_model->target_numbers(run_.reference_feeds[static_cast<size_t>(sample)]);
  ValueMap numbers;
  for (const std::string& name : exploded.inputs) {
    const Value* input = given.find(name);
    numbers.set(name, input ? *input : Value(*reference(sample, name)));
  }
  return rounded_feed(numbers, job.format, job.seed, evaluation, &typed);
}

// The tensors that the outputs of parts are.
class AloneOutputs {
 public:
  explicit AloneOutputs(const ExplodedModel& exploded) {
    for (const ExplodedOutput& output : exploded.outputs) tensors_[output.name] = output.tensor;
  }

  // Empty: not requested.
  std::string tensor(const std::string& output) const {
    if (const auto found = tensors_.find(output); found != tensors_.end()) return found->second;
    const auto item = item_of_array(output);
    const auto found = item ? tensors_.find(std::string(item->sequence)) : tensors_.end();
    return found == tensors_.end() ? "" : found->second + output.substr(item->sequence.size());
  }

 private:
  std::unordered_map<std::string, std::string> tensors_;
};

class GroupAlone {
 public:
  GroupAlone(const LocateRun& run, const WholeModel& model, const std::vector<ArrayMap>& values,
             Measurements& measurements, Logger& log)
      : job_(run.job),
        run_(run),
        model_(model),
        values_(run, values, measurements),
        measurements_(measurements),
        log_(log),
        samples_(std::ssize(values)),
        failing_(job_.failing_seconds, name_of(job_.target), log),
        judge_(
            model, run.job.format, run.job.threshold,
            [this](int64_t sample, const std::string& name, JudgedInputs) {
              return values_.reference(sample, name);
            },
            [this](int64_t sample, const std::string& name) { return noise_of(sample, name); }) {}

  using Errors = std::optional<JudgedError> TensorMeasurement::*;
  using Noises = std::vector<Noise> TensorMeasurement::*;

  // The parts side by side: first their noise, then the target.
  void run_exploded(const std::vector<NodePart>& parts, Errors errors, Noises noises) {
    std::vector<NodePart> runnable;
    for (const NodePart& part : parts) {
      const std::string obstacle = obstacle_of(part);
      if (obstacle.empty()) {
        runnable.push_back(part);
      } else {
        note(part, obstacle);
      }
    }
    // Values that become constants may differ between samples.
    int64_t begin = 0;
    while (begin < samples_ && !runnable.empty()) {
      int64_t end = begin + 1;
      while (end < samples_ && same_constants(runnable, begin, end)) ++end;
      run_parts(runnable, begin, end, errors, noises);
      begin = end;
    }
    // The noise of elements is large, and needed here only.
    for (const NodePart& part : parts) {
      for (const std::string& name : model_.made_by(part))
        forget_elements(measurements_[name].*noises);
    }
  }

 private:
  // In place.
  const Noise* noise_of(int64_t sample, const std::string& name) const {
    const auto found = measurements_.find(name);
    if (found == measurements_.end()) return nullptr;
    const std::vector<Noise>& noises = found->second.accumulated_noise;
    return static_cast<size_t>(sample) < noises.size() ? &noises[static_cast<size_t>(sample)]
                                                       : nullptr;
  }

  void add_noise_at(std::vector<Noise>& noises, int64_t sample, const Array* value,
                    const Array& observed) const {
    if (!value) return;
    noises.resize(static_cast<size_t>(samples_));
    add_noise(noises[static_cast<size_t>(sample)], *value, observed, job_.format);
  }

  // An error alone. The reference's value may come from a kernel of several nodes: a result that
  // agrees with the one of the runtime for noise is right, too.
  void add_error_alone(const std::string& tensor, int64_t sample, const Array& observed,
                       const Array* exact, bool alone, const std::vector<Noise>& noises) {
    const Array* value = values_.reference(sample, tensor);
    if (!value || (run_.reference_model && !are_partners(*value, observed))) return;
    TensorMeasurement& measured = measurements_[tensor];
    const JudgedPlace place{sample, noise_at_sample(noises, sample),
                            alone ? measured.alone() : measured.among_neighbours(),
                            alone ? JudgedInputs::kGiven : JudgedInputs::kOfNeighbours};
    JudgedError judged = judge_.judge(tensor, *value, observed, place);
    const bool third_opinion = !run_.noise_is_target && !run_.reference_is_right();
    if (exact && judged.ratio > job_.threshold && third_opinion) {
      JudgedError other = judge_.judge(tensor, *exact, observed, place);
      if (other.ratio < judged.ratio) judged = std::move(other);
    }
    keep_worst(alone ? measured.isolated : measured.neighbours,
               alone ? measured.isolated_sample : measured.neighbours_sample, std::move(judged),
               sample);
  }

  // TensorMeasurement::other_shape.
  std::string other_shape(const std::string& name) const {
    const auto found = measurements_.find(name);
    return found == measurements_.end() ? std::string() : found->second.other_shape;
  }

  bool overflows(const std::string& name) const {
    const auto found = measurements_.find(name);
    return found != measurements_.end() && found->second.reference_overflows;
  }

  // The reason why the part cannot run alone; empty: it can.
  std::string obstacle_of(const NodePart& part) const {
    const std::vector<std::string> results = model_.made_by(part);
    const std::unordered_set<std::string> made(results.begin(), results.end());
    for (const std::string& name : results) {
      const std::string other = other_shape(name);
      if (!other.empty()) return "its result is " + other;
    }
    for (const size_t position : part) {
      for (const std::string& name : model_.nodes()[position].reads) {
        if (made.contains(name)) continue;
        const std::string other = other_shape(name);
        if (!other.empty()) return "it reads '" + name + "', which is " + other;
        if (overflows(name))
          return "it reads '" + name + "', which overflows in the reference's model";
        for (int64_t sample = 0; sample < samples_; ++sample) {
          const Array* value = values_.reference(sample, name);
          if (!value) return "it reads '" + name + "', which is not a tensor";
          if (run_.reference_model && exceeds_type(*value, *values_.fed(sample, name)))
            return "it reads '" + name + "', with numbers beyond the range of its type";
        }
      }
    }
    return {};
  }

  void note(const NodePart& part, const std::string& text) {
    for (const std::string& name : model_.made_by(part)) measurements_[name].note = text;
  }

  bool same_constants(const std::vector<NodePart>& parts, int64_t a, int64_t b) const {
    for (const NodePart& part : parts) {
      for (const size_t position : part) {
        for (const std::string& name : model_.nodes()[position].reads) {
          const Array* one = values_.reference(a, name);
          const Array* other = values_.reference(b, name);
          if (!one || !other) continue;
          if (one->shape() != other->shape()) return false;
          if (becomes_constant(*one) && !bitwise_equal(*one, *other)) return false;
        }
      }
    }
    return true;
  }

  // The results of the runtime for noise, by sample; empty: noise is not measured.
  std::vector<ArrayMap> run_noise(const ExplodedModel& exploded, const AloneOutputs& outputs,
                                  int64_t begin, int64_t end, Noises noises) {
    if (job_.noise_runs == 0) return {};
    std::vector<ArrayMap> exact = outputs_of(
        run_.noise, {.path = "nodes alone", .model = &exploded.model}, end - begin,
        [&](int64_t sample) { return values_.feed(exploded, begin + sample); }, job_.cancel);
    run_noisy(
        run_.noise, exploded.model,
        {.format = job_.format,
         .seed = job_.seed,
         .quantization = job_.quantization,
         .dynamic_steps = job_.quantization},
        end - begin, job_.noise_runs,
        [&](int64_t sample, int64_t time) {
          return values_.rounded(exploded, begin + sample, time);
        },
        [&](int64_t sample, int64_t, const ArrayMap& results) {
          for (const auto& [name, array] : results) {
            add_noise_at(measurements_[outputs.tensor(name)].*noises, begin + sample,
                         exact[static_cast<size_t>(sample)].find(name), array);
          }
        },
        job_.cancel);
    return exact;
  }

  void run_parts(const std::vector<NodePart>& parts, int64_t begin, int64_t end, Errors errors,
                 Noises noises) {
    if (failing_.too_long()) {
      for (const NodePart& part : parts) note(part, failing_.reason());
      return;
    }
    const ExplodedModel exploded = explode(
        model_.model(), parts, [&](const std::string& name) { return values_.fed(begin, name); });
    const auto started = std::chrono::steady_clock::now();
    try {
      const AloneOutputs outputs(exploded);
      const std::vector<ArrayMap> exact = run_noise(exploded, outputs, begin, end, noises);
      run_samples(
          *run_.target, model_.write(exploded.model), end - begin, 1,
          [&](int64_t sample, int64_t) { return values_.feed(exploded, begin + sample); },
          [&](int64_t sample, int64_t, const ArrayMap& results) {
            for (const auto& [name, array] : results) {
              const std::string tensor = outputs.tensor(name);
              if (tensor.empty()) continue;
              add_error_alone(
                  tensor, begin + sample, array,
                  exact.empty() ? nullptr : exact[static_cast<size_t>(sample)].find(name),
                  errors == &TensorMeasurement::isolated, measurements_[tensor].*noises);
            }
          },
          job_.cancel);
    } catch (const RunnerFailure& failure) {
      failing_.add(started, parts.size(), failure.what());
      // Some of them are to blame: halves are tried.
      if (parts.size() == 1) return note(parts.front(), failure.what());
      log_.verbose(log_modules::kLocate,
                   std::to_string(parts.size()) +
                       " parts cannot run together; running them in halves: " + failure.what());
      const auto middle = parts.begin() + static_cast<ptrdiff_t>(parts.size() / 2);
      run_parts({parts.begin(), middle}, begin, end, errors, noises);
      run_parts({middle, parts.end()}, begin, end, errors, noises);
    }
  }

  const LocateJob& job_;
  const LocateRun& run_;
  const WholeModel& model_;
  const FedValues values_;
  Measurements& measurements_;
  Logger& log_;
  const int64_t samples_;
  FailingRuns failing_;
  const TensorJudge judge_;
};

// An error that its noise explains in place, in a format that is fine enough to say so.
bool is_ordinary(const TensorMeasurement& measured, double threshold) {
  if (!measured.accumulated) return false;
  const JudgedError& judged = *measured.accumulated;
  if (!judged.error.incomparable.empty() || judged.error.non_finite_mismatches > 0) return false;
  if (judged.error.exact) return true;
  // Noise of a larger part of the numbers hides wrong ones.
  return measured.format && !measured.behind_ties && judged.ratio <= rules::kOrdinary &&
         judged.by_element <= rules::kFarOff &&
         threshold * judged.noise_norm < rules::kSmall * judged.error.reference_norm;
}

// A node that is right in place is not wrong alone, as far as the model's numbers show it.
bool is_right_in_place(const LocateRun& run, const WholeModel& model, size_t position,
                       const Measurements& measurements) {
  // A quantised model is judged by its nodes alone: its noise in place is coarse.
  if (run.reference_model || run.job.quantization) return false;
  bool any = false, all = true;
  for (const std::string& name : model.nodes()[position].makes) {
    each_measurement(measurements, name, [&](const auto&, const TensorMeasurement& measured) {
      any = true;
      all &= is_ordinary(measured, run.job.threshold);
    });
  }
  return any && all;
}

// Side by side, round after round: nodes, or, for a reference of another model, its spans.
std::vector<std::vector<NodePart>> parts_alone(const LocateRun& run, const WholeModel& model,
                                               const NodePart& positions) {
  if (run.reference_model) {
    return span_rounds(model, positions,
                       [&](const std::string& tensor) { return run.reference_model->has(tensor); });
  }
  std::vector<NodePart> alone;
  for (const size_t position : positions) alone.push_back({position});
  return {std::move(alone)};
}

}  // namespace

void measure_alone(const LocateRun& run, const WholeModel& model,
                   const std::vector<ArrayMap>& values, const NodePart& all,
                   const std::vector<NodePart>& all_chains, Measurements& measurements,
                   Logger& log) {
  if (!run.target) return;
  const auto is_open = [&](size_t position) {
    return !is_right_in_place(run, model, position, measurements);
  };
  NodePart positions;
  std::ranges::copy_if(all, std::back_inserter(positions), is_open);
  std::vector<NodePart> chains;
  std::ranges::copy_if(all_chains, std::back_inserter(chains),
                       [&](const NodePart& chain) { return std::ranges::any_of(chain, is_open); });
  GroupAlone group(run, model, values, measurements, log);
  if (run.job.isolate_nodes) {
    const ProgressPhase phase("nodes alone");
    for (const std::vector<NodePart>& alone : parts_alone(run, model, positions))
      group.run_exploded(alone, &TensorMeasurement::isolated, &TensorMeasurement::isolated_noise);
  }
  if (run.job.isolate_neighbours && !chains.empty()) {
    const ProgressPhase phase("fused neighbours");
    group.run_exploded(chains, &TensorMeasurement::neighbours,
                       &TensorMeasurement::neighbours_noise);
  }
}

}  // namespace polygraphy
