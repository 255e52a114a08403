#include "polygraphy/diagnosis/locate/measuring/measure_in_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "base/arrays/py_repr.h"
#include "base/fingerprint.h"
#include "base/progress.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/diagnosis/locate/judging/excuse_ties.h"
#include "polygraphy/diagnosis/locate/judging/tensor_judge.h"
#include "polygraphy/diagnosis/locate/measuring/measure_sums.h"
#include "polygraphy/diagnosis/locate/measuring/model_runs.h"
#include "polygraphy/diagnosis/locate/measuring/noise_of_levels.h"
#include "polygraphy/diagnosis/locate/measuring/noisy_runs.h"
#include "polygraphy/diagnosis/locate/measuring/side_runs.h"

namespace polygraphy {
namespace {

const Array* tensor_in(const ValueMap& feed, const std::string& name) {
  const Value* fed = feed.find(name);
  return fed ? fed->as_tensor() : nullptr;
}

Fingerprint fingerprint_of(const Array& array) {
  FingerprintBuilder builder;
  builder.add(static_cast<uint64_t>(array.dtype()));
  for (const int64_t size : array.shape()) builder.add(static_cast<uint64_t>(size));
  if (array.dtype() == DataType::kString) {
    for (const std::string& text : array.strings()) builder.add(text);
    return builder.value();
  }
  const Array all = array.contiguous_aligned(1);
  const std::span<const std::byte> bytes = all.bytes();
  return builder.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()}).value();
}

// "float32 (1, 20)".
std::string type_text(const Array& array) {
  return fmt::format("{} {}", name_of(array.dtype()), py_tuple_repr(array.shape()));
}

class GroupInPlace {
 public:
  GroupInPlace(const LocateRun& run, const WholeModel& model, const SideFeeds& feeds,
               const NodePart& positions, const Borders& borders, Measurements& measurements,
               Logger& log)
      : job_(run.job),
        run_(run),
        model_(model),
        feeds_(feeds),
        positions_(positions),
        borders_(borders),
        measurements_(measurements),
        log_(log),
        samples_(std::ssize(feeds.reference)),
        outputs_(model.outputs().begin(), model.outputs().end()),
        judge_(
            model, run.job.format, run.job.threshold,
            [this](int64_t sample, const std::string& name, JudgedInputs) {
              // The runtime for noise knows best: the reference may be what is wrong.
              const Array *exact = exact_value(sample, name), *right = reference(sample, name);
              return right && (!exact || run_.reference_is_right()) ? right : exact;
            },
            [this](int64_t sample, const std::string& name) { return noise_of(sample, name); }) {
    for (std::vector<ArrayMap>* values : {&values_.reference, &values_.target, &values_.exact})
      values->resize(feeds.reference.size());
    values_.noisy.assign(feeds.reference.size(),
                         std::vector<ArrayMap>(static_cast<size_t>(job_.noise_runs)));
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
      for (const std::string& name : model.nodes()[position].makes) want(name);
    }
    made_ = model.made_by(positions);
    made_names_ = {made_.begin(), made_.end()};
  }

  // One runner on both sides: one session runs each sample twice. True: all results have the same
  // bits twice, and are measured. Only the model's outputs are kept: the second run takes the
  // memory of the first one, of which fingerprints are left. False: nothing is measured.
  bool run_both() {
    if (run_.reference_model || job_.quantization || &feeds_.reference != &feeds_.target ||
        !borders_.names.empty() || !run_.differing.empty() ||
        !is_same_runner(job_.reference, job_.target))
      return false;
    const ProgressPhase phase("both sides");
    bool equal = true;
    std::unordered_map<std::string, Fingerprint> first;  // of the sample
    try {
      run_samples(
          *run_.target, model_.with_outputs(wanted_), samples_, 2,
          [&](int64_t sample, int64_t) { return feeds_.target[static_cast<size_t>(sample)]; },
          [&](int64_t sample, int64_t time, ArrayMap outputs) {
            std::unordered_map<std::string, Fingerprint> results;
            for (const auto& [name, array] : outputs) {
              if (is_made(name)) results.emplace(name, fingerprint_of(array));
            }
            if (time == 0) {
              first = std::move(results);
            } else if (equal = equal && results == first; equal) {
              measure_equal(sample, std::move(outputs));
            }
          },
          job_.cancel);
    } catch (const RunnerFailure&) {
      equal = false;  // few outputs at a time may run
    }
    if (equal && std::ranges::all_of(positions_, [&](size_t node) { return has_result(node); }))
      return true;
    std::erase_if(measurements_, [&](const auto& entry) { return is_made(entry.first); });
    for (ArrayMap& values : values_.reference) values = {};
    return false;
  }

  void run_reference() {
    run_reference_side(
        run_, model_, wanted_, feeds_.reference,
        [this](int64_t sample, ArrayMap outputs) {
          ArrayMap& values = values_.reference[static_cast<size_t>(sample)];
          for (auto& [name, array] : outputs) values.set(name, std::move(array));
        },
        log_);
    for (int64_t sample = 0; sample < samples_; ++sample) note_formats(sample);
    add_sums();
  }

  // Tensors that differ are kept until their noise is known.
  void run_target() {
    keeps_all_ = job_.noise_runs > 0 && !run_.reference_model && has_levels(model_);
    target_.resize(static_cast<size_t>(samples_));
    const auto take = [&](int64_t sample, ArrayMap outputs) {
      const ArrayMap& right = values_.reference[static_cast<size_t>(sample)];
      add_missing_items(sample, right, outputs);
      add_missing_items(sample, outputs, right);
      for (auto& [name, array] : outputs) {
        if (borders_.names.contains(name))
          values_.target[static_cast<size_t>(sample)].set(name, array);
        const Array* value = reference(sample, name);
        const bool differs = value && !bitwise_equal(*value, array);
        if (differs) differing_.insert(tensor_of(name));
        if (!differs && !keeps_all_) {
          // The reference beside itself is read once.
          compare(sample, name, value ? *value : array);
        } else {
          target_[static_cast<size_t>(sample)].set(name, std::move(array));
        }
      }
    };
    run_side(job_.target, run_.target, model_.with_outputs(made_), made_, feeds_.target, take,
             job_.cancel, log_);
    for (int64_t sample = 0; sample < samples_; ++sample) add_ranges(sample);
  }

  // The effect of rounding in the whole model, on what differs.
  void find_noise() {
    const std::vector<std::string> names = noisy_tensors();
    if (job_.noise_runs < 1 || names.empty()) return;
    // The results of the reference may be wrong, so they cannot measure the noise.
    exact_ = outputs_of(
        run_.noise, model_.with_outputs(names), samples_,
        [&](int64_t sample) { return feeds_.exact[static_cast<size_t>(sample)]; }, job_.cancel);
    NoiseOptions options{.format = job_.format,
                         .seed = job_.seed,
                         .quantization = job_.quantization,
                         .dynamic_steps = job_.quantization,
                         .sizes = certain_sizes()};
    for (const auto& [name, measured] : measurements_)
      options.factors[name] = error_of_sums(measured.alone());
    run_noisy(
        run_.noise, model_.marked(names), options, samples_, job_.noise_runs,
        [&](int64_t sample, int64_t evaluation) { return feeds_.noisy(sample, evaluation); },
        [&](int64_t sample, int64_t evaluation, const ArrayMap& outputs) {
          for (const auto& [name, array] : outputs) {
            add_noise_at(sample, name, array);
            if (!borders_.names.contains(name)) continue;
            values_.noisy[static_cast<size_t>(sample)][static_cast<size_t>(evaluation)].set(name,
                                                                                            array);
          }
        },
        job_.cancel);
    for (int64_t sample = 0; sample < samples_; ++sample) {
      for (const auto& [name, array] : exact_[static_cast<size_t>(sample)]) {
        if (borders_.names.contains(name))
          values_.exact[static_cast<size_t>(sample)].set(name, array);
        const Array* value = reference(sample, name);
        if (!value || run_.reference_is_right()) continue;
        TensorMeasurement& measured = measurements_[name];
        JudgedPlace place = in_place(sample, measured);
        place.noise.of_elements = {};  // the ratio is of norms
        const JudgedError judged = judge_.judge(name, *value, array, place);
        measured.reference_ratio = std::max(measured.reference_ratio, judged.ratio);
      }
    }
    // Behind levels, that in place will have more to it.
    if (borders_.names.empty()) keep_noise_of_outputs();
  }

  void judge_target() {
    // Their ties decide what is noise behind them.
    if (keeps_all_ && !exact_.empty()) {
      const std::vector<ArrayMap> noise =
          behind_levels(run_, model_, {positions_, feeds_.exact, exact_, target_}, measurements_);
      for (int64_t sample = 0; sample < samples_; ++sample) {
        for (const auto& [name, array] : noise[static_cast<size_t>(sample)])
          add_noise_at(sample, name, array);
      }
    }
    for (int64_t sample = 0; sample < samples_; ++sample) {
      for (const auto& [name, array] : target_[static_cast<size_t>(sample)])
        compare(sample, name, array);
    }
    target_.clear();
    excuse_ties(model_, positions_, measurements_);
  }

  void judge_borders() {
    if (!borders_.names.empty()) keep_noise_of_outputs();
    values_.of_borders.resize(borders_.target.size());
    for (size_t sample = 0; sample < borders_.target.size(); ++sample) {
      for (const auto& [name, observed] : borders_.target[sample]) {
        const Array* value = borders_.reference[sample].find(name);
        const auto measured = measurements_.find(name);
        if (!value || measured == measurements_.end()) continue;
        const JudgedPlace place = in_place(static_cast<int64_t>(sample), measured->second);
        values_.of_borders[sample][name] =
            measured_output(*value, observed, judge_.judge(name, *value, observed, place),
                            place.noise, job_.format);
      }
    }
  }

  ValuesInPlace values() {
    // The noise of elements is large, and behind the group, outputs only are judged again.
    for (const ArrayMap& values : values_.reference) {
      for (const auto& [name, value] : values) {
        if (is_made(name) && !is_output(name))
          forget_elements(measurements_[name].accumulated_noise);
      }
    }
    for (size_t sample = 0; sample < values_.reference.size(); ++sample) {
      for (const auto& [name, value] : feeds_.reference[sample]) {
        if (const Array* array = value.as_tensor()) values_.reference[sample].set(name, *array);
      }
    }
    return std::move(values_);
  }

 private:
  // Of a sample with the same results on both sides.
  void measure_equal(int64_t sample, ArrayMap outputs) {
    ArrayMap& values = values_.reference[static_cast<size_t>(sample)];
    values = std::move(outputs);
    note_formats(sample);
    if (sample == 0) add_sums();
    for (const auto& [name, array] : values) {
      if (is_made(name)) compare(sample, name, array);
    }
    add_ranges(sample);
    ArrayMap kept;
    for (auto& [name, array] : values) {
      if (is_output(name)) kept.set(name, std::move(array));
    }
    values = std::move(kept);
  }

  void note_formats(int64_t sample) {
    for (const auto& [name, value] : values_.reference[static_cast<size_t>(sample)]) {
      if (is_made(name) && value.dtype() != DataType::kString)
        measurements_[name].format = coarser(job_.format, value.dtype());
    }
  }

  void add_sums() {
    for (const size_t position : positions_) {
      measure_sums(
          model_, position, [&](const std::string& name) { return reference(0, name); },
          measurements_);
    }
  }

  void add_ranges(int64_t sample) {
    const auto add = [&](const std::string& name, const Array& value) {
      if (value.dtype() == DataType::kString) return;
      TensorMeasurement& measured = measurements_[name];
      // The figures of a tensor that is equal on both sides have the range.
      const auto& judged = measured.accumulated;
      const bool known = judged && judged->error.exact && measured.accumulated_sample == sample;
      measured.range.add(known ? judged->error : measure_error(value, value));
    };
    for (const auto& [name, value] : values_.reference[static_cast<size_t>(sample)]) {
      if (is_made(name)) add(name, value);
    }
    for (const std::string& name : read_inputs_) {
      if (const Array* value = reference(sample, name)) add(name, *value);
    }
  }

  // Else it runs alone, on values that are not kept.
  bool has_result(size_t node) const {
    bool any = false;
    for (const std::string& name : model_.nodes()[node].makes)
      each_measurement(measurements_, name,
                       [&](const auto&, const auto& measured) { any |= !!measured.accumulated; });
    return any;
  }
  // Of an item of a sequence, the sequence.
  static std::string tensor_of(const std::string& array) {
    const auto item = item_of_array(array);
    return item ? std::string(item->sequence) : array;
  }
  bool is_output(const std::string& array) const {
    return outputs_.contains(array) || outputs_.contains(tensor_of(array));
  }
  bool is_made(const std::string& array) const {
    return made_names_.contains(array) || made_names_.contains(tensor_of(array));
  }

  // A sequence that has more items on one side.
  void add_missing_items(int64_t sample, const ArrayMap& one, const ArrayMap& other) {
    for (const auto& [name, array] : one) {
      const auto item = item_of_array(name);
      if (!item || !is_made(name) || other.contains(name)) continue;
      if (!other.contains(item_name(item->sequence, 0))) continue;  // of another run
      JudgedError judged{.ratio = std::numeric_limits<double>::infinity()};
      judged.error.exact = false;
      judged.error.incomparable = fmt::format("only one side has item {}", item->index);
      TensorMeasurement& measured = measurements_[name];
      keep_worst(measured.accumulated, measured.accumulated_sample, std::move(judged), sample);
    }
  }

  // Of these, the noise is measured: of all, where it is carried to later parts or behind levels.
  std::vector<std::string> noisy_tensors() const {
    if (!borders_.names.empty() || run_.reference_model) return made_;
    std::unordered_set<std::string> names = run_.differing;
    names.insert(differing_.begin(), differing_.end());
    if (names.empty()) return {};
    if (keeps_all_) return made_;
    names.insert(model_.outputs().begin(), model_.outputs().end());
    names = with_deciding(names);
    std::vector<std::string> noisy;
    std::ranges::copy_if(made_, std::back_inserter(noisy),
                         [&](const std::string& name) { return names.contains(name); });
    return noisy;
  }

  // And the tensors that decide their ties.
  std::unordered_set<std::string> with_deciding(std::unordered_set<std::string> names) const {
    const std::vector<std::string> judged(names.begin(), names.end());
    for (const std::string& name : judged) {
      for (std::string& input : judge_.decided_by(name)) names.insert(std::move(input));
    }
    return names;
  }

  // Numbers of elements, by name, if both sides and all samples have the same. They do not depend
  // on the parts that the model is cut into, as inferred ones do.
  std::unordered_map<std::string, int64_t> certain_sizes() const {
    std::unordered_map<std::string, int64_t> sizes;
    if (run_.reference_model) return sizes;
    const auto add = [&](const std::string& name, const Array& array) {
      const auto found = measurements_.find(name);
      const bool comparable = found == measurements_.end() || !found->second.accumulated ||
                              found->second.accumulated->error.incomparable.empty();
      int64_t& size = sizes.emplace(name, array.size()).first->second;
      if (size != array.size() || !comparable) size = 0;
    };
    for (size_t sample = 0; sample < values_.reference.size(); ++sample) {
      for (const auto& [name, array] : values_.reference[sample]) add(name, array);
      for (const auto& [name, value] : feeds_.reference[sample]) {
        if (const Array* array = value.as_tensor()) add(name, *array);
      }
    }
    return sizes;
  }

  // For the outputs of the model as it is. An earlier part may have made the tensors that decide
  // their ties.
  void keep_noise_of_outputs() {
    if (run_.reference_model) return;
    for (const std::string& name : with_deciding(run_.differing)) {
      const auto found = measurements_.find(name);
      if (found == measurements_.end() || found->second.accumulated_noise.empty()) continue;
      std::vector<ExactWithNoise>& known = found->second.known;
      if (!known.empty() || !exact_value(0, name)) continue;
      for (int64_t sample = 0; sample < samples_; ++sample) {
        const Noise& noise = found->second.accumulated_noise[static_cast<size_t>(sample)];
        known.push_back({exact_value(sample, name)->clone(), noise});
        known.back().noise.of_elements = noise.of_elements.clone();
      }
    }
  }

  void compare(int64_t sample, const std::string& name, const Array& array) {
    TensorMeasurement& measured = measurements_[name];
    measured.type = array.dtype();
    const Array* value = reference(sample, name);
    if (!value) return;
    if (run_.reference_model && !are_partners(*value, array)) {
      measured.other_shape =
          fmt::format("{}, but {} in the reference's model", type_text(array), type_text(*value));
      return;
    }
    if (measured.format) measured.format = coarser(*measured.format, array.dtype());
    bool by_tie = false;
    JudgedPlace place = in_place(sample, measured);
    place.exact_inputs = std::ranges::all_of(judge_.decided_by(name), [&](const auto& input) {
      const auto read = measurements_.find(input);
      return read != measurements_.end() && read->second.accumulated
                 ? read->second.accumulated->error.exact
                 : tensor_in(feeds_.reference[static_cast<size_t>(sample)], input) != nullptr;
    });
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
    if (run_.reference_is_coarser && judged.error.non_finite_mismatches > 0) {
      measured.range.add(measure_error(array, array));
      measured.reference_overflows = true;
    }
    measured.accumulated_relative =
        std::max(measured.accumulated_relative, judged.error.relative());
    keep_worst(measured.accumulated, measured.accumulated_sample, std::move(judged), sample);
  }

  static JudgedPlace in_place(int64_t sample, const TensorMeasurement& measured) {
    return {sample, noise_at_sample(measured.accumulated_noise, sample), measured.in_place(),
            JudgedInputs::kOfTarget};
  }

  // Of the runtime for noise. A saved reference may be of another model, so the target's own
  // runtime has an opinion, too.
  bool third_opinion_in_place() const {
    if (run_.reference_is_right()) return false;
    return !run_.noise_is_target || !run_.reference;
  }

  const Array* reference(int64_t sample, const std::string& name) const {
    const Array* value = values_.reference[static_cast<size_t>(sample)].find(name);
    return value ? value : tensor_in(feeds_.reference[static_cast<size_t>(sample)], name);
  }

  // Of the runtime for noise; null: not computed.
  const Array* exact_value(int64_t sample, const std::string& name) const {
    if (exact_.empty()) return nullptr;
    const Array* value = exact_[static_cast<size_t>(sample)].find(name);
    return value ? value : tensor_in(feeds_.exact[static_cast<size_t>(sample)], name);
  }

  void add_noise_at(int64_t sample, const std::string& name, const Array& observed) {
    const Array* value = exact_value(sample, name);
    if (!value) return;
    std::vector<Noise>& noises = measurements_[name].accumulated_noise;
    noises.resize(static_cast<size_t>(samples_));
    add_noise(noises[static_cast<size_t>(sample)], *value, observed, job_.format);
  }

  const Noise* noise_of(int64_t sample, const std::string& name) const {
    const auto found = measurements_.find(name);
    if (found == measurements_.end() || found->second.accumulated_noise.empty()) return nullptr;
    return &found->second.accumulated_noise[static_cast<size_t>(sample)];
  }

  const LocateJob& job_;
  const LocateRun& run_;
  const WholeModel& model_;
  const SideFeeds& feeds_;
  const NodePart& positions_;
  const Borders& borders_;
  Measurements& measurements_;
  Logger& log_;
  const int64_t samples_;
  std::vector<ArrayMap> exact_;                // of the runtime for noise, by sample
  std::vector<ArrayMap> target_;               // what is judged once the noise is known, by sample
  bool keeps_all_ = false;                     // in target_: a node quantises
  std::unordered_set<std::string> differing_;  // tensors that are not the same on both sides
  ValuesInPlace values_;
  std::vector<std::string> wanted_, made_;  // tensors that the nodes read or make; make
  std::unordered_set<std::string> made_names_;
  const std::unordered_set<std::string> outputs_;  // of the model
  std::vector<std::string> read_inputs_;           // inputs of the model
  const TensorJudge judge_;
};

}  // namespace

SideFeeds same_feeds(const LocateRun& run, const std::vector<ValueMap>& feeds) {
  return {feeds, feeds, feeds, [&](int64_t sample, int64_t evaluation) {
            const LocateJob& job = run.job;
            const ValueMap& feed = feeds[static_cast<size_t>(sample)];
            if (!run.reference_model) return rounded_feed(feed, job.format, job.seed, evaluation);
            return rounded_feed(run.reference_model->target_numbers(
                                    run.reference_feeds[static_cast<size_t>(sample)]),
                                job.format, job.seed, evaluation, &feed);
          }};
}

ValuesInPlace measure_in_place(const LocateRun& run, const WholeModel& model,
                               const SideFeeds& feeds, const NodePart& positions,
                               const Borders& borders, Measurements& measurements, Logger& log) {
  GroupInPlace group(run, model, feeds, positions, borders, measurements, log);
  const auto step = [](const char* name, const auto& work) {
    const ProgressPhase phase(name);
    work();
  };
  if (group.run_both()) return group.values();
  step("reference", [&] { group.run_reference(); });
  step("target", [&] { group.run_target(); });
  step("noise", [&] { group.find_noise(); });
  group.judge_target();
  group.judge_borders();
  return group.values();
}

}  // namespace polygraphy
