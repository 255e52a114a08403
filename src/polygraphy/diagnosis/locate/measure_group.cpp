#include "polygraphy/diagnosis/locate/measure_group.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/log_modules.h"
#include "base/progress.h"
#include "polygraphy/diagnosis/locate/failing_runs.h"
#include "polygraphy/diagnosis/locate/judging/excuse_ties.h"
#include "polygraphy/diagnosis/locate/judging/tensor_judge.h"
#include "polygraphy/diagnosis/locate/measure_sums.h"
#include "polygraphy/diagnosis/locate/model_runs.h"
#include "polygraphy/diagnosis/locate/side_runs.h"
#include "polygraphy/models/noise/noisy_model.h"

namespace polygraphy {
namespace {

class Group {
 public:
  Group(const LocateRun& run, const WholeModel& model, const std::vector<ValueMap>& feeds,
        const NodePart& positions, Measurements& measurements, Logger& log)
      : job_(run.job),
        run_(run),
        model_(model),
        feeds_(feeds),
        positions_(positions),
        measurements_(measurements),
        log_(log),
        samples_(static_cast<int64_t>(feeds.size())),
        failing_(job_.failing_seconds, name_of(job_.target), log),
        values_(feeds.size()),
        judge_(
            model, run.job.format, run.job.threshold,
            [this](int64_t sample, const std::string& name, JudgedInputs inputs) {
              // In place, the runtime for noise knows best: the reference may be what is wrong.
              const bool in_place = inputs == JudgedInputs::kOfTarget;
              const Array* exact = in_place ? exact_value(sample, name) : nullptr;
              return exact ? exact : reference(sample, name);
            },
            [this](int64_t sample, const std::string& name) { return noise_of(sample, name); }) {
    std::unordered_set<std::string> inputs(model.inputs().begin(), model.inputs().end());
    std::unordered_set<std::string> seen;
    const auto want = [&](const std::string& name) {
      if (!seen.insert(name).second) return;
      if (!inputs.contains(name)) {
        wanted_.push_back(name);
      } else if (!measurements.contains(name)) {
        read_inputs_.push_back(name);
      }
    };
    for (const size_t position : positions) {
      for (const std::string& name : model.nodes()[position].reads) want(name);
      for (const std::string& name : model.nodes()[position].makes) {
        want(name);
        made_.push_back(name);
      }
    }
  }

  void run_reference() {
    const auto keep = [this](int64_t sample, ArrayMap outputs) {
      ArrayMap& values = values_[static_cast<size_t>(sample)];
      for (auto& [name, array] : outputs) values.set(name, std::move(array));
    };
    run_side(job_.reference, run_.reference, model_.with_outputs(wanted_), wanted_, feeds_, keep,
             job_.cancel, log_);
    for (int64_t sample = 0; sample < samples_; ++sample) {
      for (const std::string& name : made_) {
        const Array* value = reference(sample, name);
        if (!value || value->dtype() == DataType::kString) continue;
        TensorMeasurement& measured = measurements_[name];
        measured.format = coarser(job_.format, value->dtype());
        measured.range.add(measure_error(*value, *value));
      }
      for (const std::string& name : read_inputs_) {
        const Array* value = reference(sample, name);
        if (!value || value->dtype() == DataType::kString) continue;
        measurements_[name].range.add(measure_error(*value, *value));
      }
    }
    for (const size_t position : positions_) {
      measure_sums(
          model_, position, [&](const std::string& name) { return reference(0, name); },
          measurements_);
    }
  }

  void run_target() {
    const auto compare = [this](int64_t sample, const ArrayMap& outputs) {
      for (const auto& [name, array] : outputs) {
        const Array* value = reference(sample, name);
        if (!value) continue;
        TensorMeasurement& measured = measurements_[name];
        bool by_tie = false;
        const JudgedPlace place = in_place(sample, measured);
        JudgedError judged = judge_.judge(name, *value, array, place, &by_tie);
        measured.behind_ties |= by_tie;
        const Array* exact = exact_value(sample, name);
        if (exact && judged.ratio > job_.threshold && third_opinion_in_place()) {
          JudgedError other = judge_.judge(name, *exact, array, place);
          const bool agrees = other.ratio <= job_.threshold;
          const bool deviates = measured.reference_ratio > job_.threshold;
          measured.reference_deviates |= agrees && deviates;
          if (agrees && !deviates) judged = std::move(other);
        }
        measured.accumulated_relative =
            std::max(measured.accumulated_relative, judged.error.relative());
        keep_worst(measured.accumulated, measured.accumulated_sample, std::move(judged), sample);
      }
    };
    run_side(job_.target, run_.target, model_.with_outputs(made_), made_, feeds_, compare,
             job_.cancel, log_);
    excuse_ties(model_, positions_, measurements_);
  }

  // The effect of rounding in the whole model.
  void find_accumulated_noise() {
    if (job_.noise_runs < 1) return;
    // The results of the reference may be wrong, so they cannot measure the noise.
    exact_ = outputs_of(run_.noise, model_.with_outputs(made_), feeds_, job_.cancel);
    NoiseOptions options{.format = job_.format, .seed = job_.seed};
    for (const auto& [name, measured] : measurements_)
      options.factors[name] = error_of_sums(measured.alone());
    const auto noisy = noisy_model(model_.marked(made_), options);
    run_samples(
        run_.noise, {.path = "noisy model", .model = &noisy}, samples_, job_.noise_runs,
        [&](int64_t sample, int64_t time) {
          return rounded(feeds_[static_cast<size_t>(sample)], time);
        },
        [&](int64_t sample, int64_t, const ArrayMap& outputs) {
          for (const auto& [name, array] : outputs)
            add_noise_at(measurements_[name].accumulated_noise, sample, exact_value(sample, name),
                         array);
        },
        job_.cancel);
    for (int64_t sample = 0; sample < samples_; ++sample) {
      for (const auto& [name, array] : exact_[static_cast<size_t>(sample)]) {
        const Array* value = reference(sample, name);
        if (!value) continue;
        TensorMeasurement& measured = measurements_[name];
        const JudgedError judged = judge_.judge(name, *value, array, in_place(sample, measured));
        measured.reference_ratio = std::max(measured.reference_ratio, judged.ratio);
      }
    }
  }

  using Errors = std::optional<JudgedError> TensorMeasurement::*;
  using Noises = std::vector<Noise> TensorMeasurement::*;

  // The parts side by side: first their noise, then the target.
  void run_exploded(const std::vector<NodePart>& parts, Errors errors, Noises noises) {
    std::vector<NodePart> runnable;
    for (const NodePart& part : parts) {
      const std::string missing = unknown_input(part);
      if (missing.empty()) {
        runnable.push_back(part);
      } else {
        note(part, "it reads " + missing + ", which is not a tensor");
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
  }

  // The noise of elements is large, and needed in the group only.
  void forget_elements() {
    for (const std::string& name : made_) {
      TensorMeasurement& measured = measurements_[name];
      for (auto* noises :
           {&measured.accumulated_noise, &measured.isolated_noise, &measured.neighbours_noise}) {
        for (Noise& noise : *noises) noise.of_elements = {};
      }
    }
  }

 private:
  static JudgedPlace in_place(int64_t sample, const TensorMeasurement& measured) {
    return {sample, noise_at_sample(measured.accumulated_noise, sample), measured.in_place(),
            JudgedInputs::kOfTarget};
  }

  // Of the runtime for noise. A saved reference may be of another model, so the target's own
  // runtime has an opinion, too.
  bool third_opinion_in_place() const { return !run_.noise_is_target || !run_.reference; }

  const Array* reference(int64_t sample, const std::string& name) const {
    if (const Array* value = values_[static_cast<size_t>(sample)].find(name)) return value;
    const Value* fed = feeds_[static_cast<size_t>(sample)].find(name);
    return fed ? fed->as_tensor() : nullptr;
  }

  // Of the runtime for noise, in place; null: not computed.
  const Array* exact_value(int64_t sample, const std::string& name) const {
    return exact_.empty() ? nullptr : exact_[static_cast<size_t>(sample)].find(name);
  }

  ValueMap rounded(const ValueMap& feed, int64_t time) const {
    return rounded_feed(feed, job_.format, job_.seed, time);
  }

  void add_noise_at(std::vector<Noise>& noises, int64_t sample, const Array* value,
                    const Array& observed) {
    if (!value) return;
    noises.resize(feeds_.size());
    add_noise(noises[static_cast<size_t>(sample)], *value, observed, job_.format);
  }

  const Noise* noise_of(int64_t sample, const std::string& name) const {
    const auto found = measurements_.find(name);
    if (found == measurements_.end() || found->second.accumulated_noise.empty()) return nullptr;
    return &found->second.accumulated_noise[static_cast<size_t>(sample)];
  }

  static void keep_worst(std::optional<JudgedError>& worst, int64_t& worst_sample,
                         JudgedError judged, int64_t sample) {
    if (worst && worst->ratio >= judged.ratio) return;
    worst = std::move(judged);
    worst_sample = sample;
  }

  // An error alone. The reference's value may come from a kernel of several nodes: a result that
  // agrees with the one of the runtime for noise is right, too.
  void add_error_alone(const std::string& tensor, int64_t sample, const Array& observed,
                       const Array* exact, bool alone, const std::vector<Noise>& noises) {
    const Array* value = reference(sample, tensor);
    if (!value) return;
    TensorMeasurement& measured = measurements_[tensor];
    const JudgedPlace place{sample, noise_at_sample(noises, sample),
                            alone ? measured.alone() : measured.among_neighbours(),
                            alone ? JudgedInputs::kGiven : JudgedInputs::kOfNeighbours};
    JudgedError judged = judge_.judge(tensor, *value, observed, place);
    if (exact && judged.ratio > job_.threshold && !run_.noise_is_target) {
      JudgedError other = judge_.judge(tensor, *exact, observed, place);
      if (other.ratio < judged.ratio) judged = std::move(other);
    }
    keep_worst(alone ? measured.isolated : measured.neighbours,
               alone ? measured.isolated_sample : measured.neighbours_sample, std::move(judged),
               sample);
  }

  std::string unknown_input(const NodePart& part) const {
    std::unordered_set<std::string> made;
    for (const size_t position : part) {
      for (const std::string& name : model_.nodes()[position].makes) made.insert(name);
    }
    for (const size_t position : part) {
      for (const std::string& name : model_.nodes()[position].reads) {
        if (made.contains(name)) continue;
        for (int64_t sample = 0; sample < samples_; ++sample) {
          if (!reference(sample, name)) return "'" + name + "'";
        }
      }
    }
    return {};
  }

  void note(const NodePart& part, const std::string& text) {
    for (const size_t position : part) {
      for (const std::string& name : model_.nodes()[position].makes)
        measurements_[name].note = text;
    }
  }

  bool same_constants(const std::vector<NodePart>& parts, int64_t a, int64_t b) const {
    for (const NodePart& part : parts) {
      for (const size_t position : part) {
        for (const std::string& name : model_.nodes()[position].reads) {
          const Array* one = reference(a, name);
          const Array* other = reference(b, name);
          if (!one || !other) continue;
          if (one->shape() != other->shape()) return false;
          if (becomes_constant(*one) && !bitwise_equal(*one, *other)) return false;
        }
      }
    }
    return true;
  }

  void run_parts(const std::vector<NodePart>& parts, int64_t begin, int64_t end, Errors errors,
                 Noises noises) {
    if (failing_.too_long()) {
      for (const NodePart& part : parts) note(part, failing_.reason());
      return;
    }
    const ExplodedModel exploded = explode(
        model_.model(), parts, [&](const std::string& name) { return reference(begin, name); });
    std::unordered_map<std::string, std::string> tensor_of;
    for (const ExplodedOutput& output : exploded.outputs) tensor_of[output.name] = output.tensor;
    const auto feed = [&](int64_t sample) {
      ValueMap values;
      for (const std::string& name : exploded.inputs) values.set(name, *reference(sample, name));
      return values;
    };
    const auto started = std::chrono::steady_clock::now();
    try {
      std::vector<ArrayMap> exact;
      if (job_.noise_runs > 0) {
        exact = outputs_of(
            run_.noise, {.path = "nodes alone", .model = &exploded.model}, end - begin,
            [&](int64_t sample) { return feed(begin + sample); }, job_.cancel);
        const graphsurgeon::Model noisy =
            noisy_model(exploded.model, {.format = job_.format, .seed = job_.seed});
        run_samples(
            run_.noise, {.path = "noisy nodes", .model = &noisy}, end - begin, job_.noise_runs,
            [&](int64_t sample, int64_t time) { return rounded(feed(begin + sample), time); },
            [&](int64_t sample, int64_t, const ArrayMap& outputs) {
              for (const auto& [name, array] : outputs) {
                const std::string& tensor = tensor_of.at(name);
                add_noise_at(measurements_[tensor].*noises, begin + sample,
                             exact[static_cast<size_t>(sample)].find(name), array);
              }
            },
            job_.cancel);
      }
      run_samples(
          *run_.target, model_.write(exploded.model), end - begin, 1,
          [&](int64_t sample, int64_t) { return feed(begin + sample); },
          [&](int64_t sample, int64_t, const ArrayMap& outputs) {
            for (const auto& [name, array] : outputs) {
              const auto tensor = tensor_of.find(name);
              if (tensor == tensor_of.end()) continue;  // not requested
              add_error_alone(
                  tensor->second, begin + sample, array,
                  exact.empty() ? nullptr : exact[static_cast<size_t>(sample)].find(name),
                  errors == &TensorMeasurement::isolated, measurements_[tensor->second].*noises);
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
  const std::vector<ValueMap>& feeds_;
  const NodePart& positions_;
  Measurements& measurements_;
  Logger& log_;
  const int64_t samples_;
  FailingRuns failing_;
  std::vector<ArrayMap> exact_;             // of the runtime for noise, by sample
  std::vector<ArrayMap> values_;            // of the reference, by sample
  std::vector<std::string> wanted_, made_;  // tensors that the nodes read or make; make
  std::vector<std::string> read_inputs_;    // inputs of the model
  const TensorJudge judge_;
};

}  // namespace

void measure_group(const LocateRun& run, const WholeModel& model,
                   const std::vector<ValueMap>& feeds, const NodePart& positions,
                   const std::vector<NodePart>& chains, Measurements& measurements, Logger& log) {
  Group group(run, model, feeds, positions, measurements, log);
  const auto step = [](const char* what, const auto& work) {
    const ProgressPhase phase(what);
    work();
  };
  step("reference", [&] { group.run_reference(); });
  step("noise", [&] { group.find_accumulated_noise(); });
  step("target", [&] { group.run_target(); });
  if (run.target && run.job.isolate_nodes) {
    std::vector<NodePart> alone;
    for (const size_t position : positions) alone.push_back({position});
    step("nodes alone", [&] {
      group.run_exploded(alone, &TensorMeasurement::isolated, &TensorMeasurement::isolated_noise);
    });
  }
  if (run.target && run.job.isolate_neighbours && !chains.empty()) {
    step("fused neighbours", [&] {
      group.run_exploded(chains, &TensorMeasurement::neighbours,
                         &TensorMeasurement::neighbours_noise);
    });
  }
  group.forget_elements();
}

}  // namespace polygraphy
