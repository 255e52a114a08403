#include "polygraphy/diagnosis/locate/noise_floor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/arrays/convert.h"
#include "base/log_modules.h"
#include "graphsurgeon/ir/node.h"
#include "graphsurgeon/ir/tensor.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/comparison/compare/pairs/pair_batches.h"
#include "polygraphy/comparison/compare/pairs/unpaired_outputs.h"
#include "polygraphy/data/inputs/adapt_feed.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/diagnosis/locate/judging/judged_error.h"
#include "polygraphy/diagnosis/locate/judging/noise_verdict.h"
#include "polygraphy/diagnosis/locate/judging/rules.h"
#include "polygraphy/diagnosis/locate/judging/tensor_accumulations.h"
#include "polygraphy/diagnosis/locate/judging/tensor_judge.h"
#include "polygraphy/diagnosis/locate/judging/tensor_origin.h"
#include "polygraphy/diagnosis/locate/measuring/model_runs.h"
#include "polygraphy/diagnosis/locate/noise_floor_of.h"
#include "polygraphy/diagnosis/locate/output_noise.h"
#include "polygraphy/diagnosis/locate/pair_format.h"
#include "polygraphy/diagnosis/locate/requested_format.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/noise/moved_weights.h"
#include "polygraphy/models/noise/result_formats.h"
#include "polygraphy/models/parts/whole_model.h"
#include "polygraphy/runtimes/decoding/decoding.h"

namespace polygraphy {
namespace {

using log_modules::kCompare;

// "the float32 and quantisation noise", "the float32 noise (float16 in 3 of 10 results)".
std::string noise_text(std::string_view formats, bool quantization) {
  if (formats.empty()) return "the noise";
  const size_t end = std::min(formats.find(" ("), formats.size());
  return fmt::format("the {}{} noise{}", formats.substr(0, end),
                     quantization ? " and quantisation" : "", formats.substr(end));
}

class NoiseFloor : public ResultComparison {
 public:
  // `model`: null, or the job's, which outlives it.
  NoiseFloor(const WholeModel* model, NoiseFloorJob job, RunnerFactory& factory, Logger& log,
             KnownNoise known)
      : model_(model),
        job_(std::move(job)),
        known_(std::move(known)),
        runner_{factory, job_.noise, quiet_},
        log_(log) {
    if (job_.noise.name.empty()) job_.noise.name = "noise";
    job_.noise = factory.isolated(std::move(job_.noise));
    show_as_verbose(quiet_, log, kCompare);
    if (job_.metric) function_ = make_function(*job_.metric, job_.metric_options);
  }

  OutputResults compare(const IterationResult& one, const IterationResult& another) override {
    const bool first = !noise_;
    begin_iteration(one.runner_name);
    const bool turned = reference_is_second(one, another);
    const IterationResult &result0 = turned ? another : one, &result1 = turned ? one : another;
    const NumberFormat format =
        job_.format ? *job_.format : pair_format(format_of(result0), format_of(result1));
    formats_.insert(format_text(of_results_, format));
    std::vector<std::string> common, made;
    std::vector<ComparedPair> pairs;
    for (const auto& [name, array] : result0.outputs) {
      if (!result1.outputs.contains(name)) continue;
      common.push_back(name);
      pairs.push_back({name, name, 0, 0});
      // Results of equal bytes need no noise.
      if (!function_ && bitwise_equal(array, *result1.outputs.find(name))) continue;
      if (const std::string tensor = tensor_of(name); noise_->accumulations().contains(tensor))
        made.push_back(tensor);
    }
    if (common.empty()) require_common_outputs(result0, result1);
    std::vector<std::string> measured;
    std::unordered_set<std::string> known;
    std::ranges::copy_if(made, std::back_inserter(measured),
                         [&](const std::string& name) { return known.insert(name).second; });
    const TensorJudge judge_of(*model_, format, job_.threshold, values(), noises());
    for (const std::string& name : made) {
      for (const std::string& other : judge_of.decided_by(name)) {
        if (noise_->accumulations().contains(other) && known.insert(other).second)
          measured.push_back(other);
      }
    }
    among_ties_.clear();
    const auto known_noise = [this](const std::string& name) {
      return known_.of ? known_.of(iteration_ - 1, name) : nullptr;
    };
    if (!noise_->take(measured, known_noise) && (evaluates() || job_.runs < 1))
      noise_->find(format, measured);
    if (function_) function_->begin(result0.outputs, result1.outputs, log_);
    const Compared of{result0, result1, format, judge_of, measured};
    OutputResults judged;
    for (const std::string& name : common) judged.emplace_back(name, judged_output(name, of));
    const bool all_left =
        std::ranges::all_of(judged, [](const auto& output) { return output.second.left; });
    if (!judged.empty() && all_left) refuse_unjudged(name_of(*job_.metric), result0);
    // Other outputs that one side does not have are not compared.
    for (std::string& name : unpaired_items(result0, result1, pairs, first, log_))
      judged.emplace_back(std::move(name), OutputResult{});
    return judged;
  }

  bool averages() const override { return false; }
  Threshold threshold(const std::string&) override { return {}; }
  std::string measure() const override {
    std::string names;
    for (const std::string& name : formats_) names += (names.empty() ? "" : " and ") + name;
    const std::string by =
        fmt::format("{:g}× {}", job_.threshold, noise_text(names, job_.quantization));
    return job_.metric ? fmt::format("{} within {}", name_of(*job_.metric), by) : by;
  }

 private:
  // Of an item of a sequence, the sequence.
  std::string tensor_of(const std::string& array) const {
    const auto item = item_of_array(array);
    return item && !noise_->accumulations().contains(array) ? std::string(item->sequence) : array;
  }

  // nullopt: saved results.
  std::optional<NumberFormat> format_of(const IterationResult& result) const {
    if (const auto computed = parse_number_format(result.precision)) return computed;
    const auto asked = std::ranges::find(job_.runners, result.runner_name, &RunnerSpec::name);
    return asked == job_.runners.end() ? std::nullopt : std::optional(requested_format(*asked));
  }

  void begin_iteration(const std::string& reference) {
    if (!model_) model_ = &loaded_.emplace(std::move(*load_onnx(job_.model, log_)), std::string());
    if (!noise_ && job_.quantization && !has_quantized_weights(model_->model()) &&
        !take_quantized_model()) {
      log_.warning(kCompare, kNotQuantized);
      job_.quantization = false;
    }
    if (!noise_) {
      of_results_ = result_formats(model_->model());
      noise_.emplace(*model_, runner_,
                     NoiseSettings{.runs = job_.runs,
                                   .seed = job_.seed,
                                   .quantization = job_.quantization,
                                   .dynamic_steps = job_.quantization,
                                   .caches = job_.decoding ? job_.decoding->caches()
                                                           : std::vector<std::string>(),
                                   .rounded_inputs = job_.rounded_inputs,
                                   .cancel = job_.cancel});
    }
    if (!feeds_) {
      feeds_ = job_.make_feeds ? job_.make_feeds() : generated_feeds({}, log_);
      if (job_.decoding) feeds_ = decoded_feeds(job_.decoding, std::move(feeds_));
    }
    if (!seen_.empty() && !seen_.contains(reference)) {
      seen_.insert(reference);
      return;
    }
    seen_ = {reference};
    const Metadata& inputs = model_->given_inputs();
    const std::optional<ValueMap> feed = feeds_->next(inputs);
    if (!feed) {
      throw Error(kNoNoise, "More results than inputs: the noise has no inputs left",
                  "Give the inputs of all results.");
    }
    ++iteration_;
    noise_->begin(adapt_feed(*feed, inputs, quiet_));  // the runners warn of other names and types
  }

  // Of two models of the run, the float one may be the first.
  bool take_quantized_model() {
    for (const RunnerSpec& runner : job_.runners) {
      if (runner.model.empty()) continue;
      const ModelSource other = runner_.factory.form_for(runner, job_.model);
      if (other.format != kOnnxFormat) continue;
      const auto model = load_onnx(other, log_);
      if (!has_quantized_weights(*model)) continue;
      log_.info(
          kCompare,
          fmt::format("The noise is measured with '{}', which has quantised weights", other.path));
      model_ = &loaded_.emplace(std::move(*model), std::string());
      return true;
    }
    return false;
  }

  struct Compared {
    const IterationResult &reference, &target;
    NumberFormat format;
    const TensorJudge& judge;
    const std::vector<std::string>& measured;  // tensors of which the noise is known
  };

  bool evaluates() const { return job_.runs > 0 && !known_.is_all; }

  OutputResult judged_output(const std::string& name, const Compared& of) {
    OutputResult result;
    const Array &reference = *of.reference.outputs.find(name),
                &observed = *of.target.outputs.find(name);
    const auto found = noise_->noises().find(name);
    const Noise* noise = found == noise_->noises().end() ? nullptr : &found->second;
    result.empty = reference.size() == 0 && observed.size() == 0;
    if (function_) {
      judge_by_metric(name, of.reference, of.target, noise, result);
    } else if (bitwise_equal(reference, observed)) {
      judge(name, {.error = judged_error(reference, observed, of.format, {}, {})}, of.format,
            result);
    } else if (noise) {
      judge(name, measured(name, reference, observed, *noise, of), of.format, result);
    } else {
      say(name, "differs, but the model has no tensor of this name to compute its noise", false);
    }
    result.metric = job_.metric;
    return result;
  }

  // Looks for ties before an output behind steps fails.
  MeasuredOutput measured(const std::string& name, const Array& reference, const Array& observed,
                          const Noise& noise, const Compared& of) {
    JudgedPlace place{0, noise, noise_->accumulations().at(tensor_of(name)).in_place,
                      JudgedInputs::kOfTarget};
    JudgedError error = of.judge.judge(name, reference, observed, place);
    if (error.ratio > job_.threshold && evaluates() && is_behind_steps(*model_, tensor_of(name))) {
      if (among_ties_.empty()) {
        among_ties_ =
            noise_->evaluate(of.format, of.measured, rules::kRunsAmongTies, job_.threshold);
      }
      place.noise = among_ties_[name];
      JudgedError tied = of.judge.judge(name, reference, observed, place);
      const double most = std::min(job_.threshold, rules::kTied);
      if (tied.ratio <= most && tied.by_element <= most) error = std::move(tied);
    }
    return measured_output(reference, observed, std::move(error), place.noise, of.format);
  }

  TensorJudge::Values values() const {
    return [this](int64_t, const std::string& name, JudgedInputs) -> const Array* {
      if (const Array* value = noise_->exact().find(name)) return value;
      const Value* fed = noise_->feed().find(name);
      return fed ? fed->as_tensor() : nullptr;
    };
  }
  TensorJudge::Noises noises() const {
    return [this](int64_t, const std::string& name) -> const Noise* {
      const auto found = noise_->noises().find(name);
      return found == noise_->noises().end() ? nullptr : &found->second;
    };
  }

  void judge(const std::string& name, const MeasuredOutput& measured, NumberFormat format,
             OutputResult& result) {
    const JudgedError& judged = measured.error;
    const NoiseVerdict verdict =
        noise_verdict(*model_, tensor_of(name), measured, job_.threshold, job_.quantization);
    std::string text;
    if (!judged.error.incomparable.empty()) {
      text = judged.error.incomparable;
    } else if (judged.error.non_finite_mismatches > 0) {
      text = fmt::format("{} NaNs or infinities on one side only, first at element {}",
                         judged.error.non_finite_mismatches, judged.error.first_mismatch);
    } else if (judged.error.exact) {
      text = "no error";
    } else {
      text = fmt::format("relative error {:.3g}, {:.3g}× {}", judged.error.relative(), judged.ratio,
                         noise_text(format_text(of_results_, measured.format.value_or(format)),
                                    job_.quantization));
      if (verdict.group_off)
        text += fmt::format(", {:.3g}× in most numbers at index {} of axis {}",
                            measured.group.ratio, measured.group.index, measured.group.axis);
    }
    if (judged.error.incomparable.empty() && verdict.agreement != Agreement::kDiffers &&
        !verdict.reason.empty()) {
      text +=
          verdict.agreement == Agreement::kTooCoarse ? ", but the precision is too low: " : ": ";
      text += verdict.reason;
    }
    result.passed = verdict.agreement == Agreement::kAgrees;
    result.failure = verdict.agreement;
    result.excess = verdict.excess;
    result.reason = verdict.reason;
    say(name, text, result.passed);
  }

  void judge_by_metric(const std::string& name, const IterationResult& result0,
                       const IterationResult& result1, const Noise* noise, OutputResult& result) {
    if (!function_->judges(name)) {
      log_.verbose(kCompare, fmt::format("{} | Not compared: '{}'", name_of(*job_.metric), name));
      result.left = result.passed = true;
      return;
    }
    log_.start(kCompare, fmt::format("{} | Comparing Output: '{}'", name_of(*job_.metric), name));
    const Logger::Indent deeper(log_);
    const bool empty = result.empty;
    OutputPair pair{name,
                    name,
                    result0.runner_name,
                    result1.runner_name,
                    *result0.outputs.find(name),
                    *result1.outputs.find(name)};
    Array elements;
    if (noise && noise->of_elements.size() > 0) {
      elements = with_own_rounding(*noise, name, pair);
      pair.noise = &elements;
    }
    pair.noise_threshold = job_.threshold;
    result = function_->compare(pair, log_);
    result.empty = empty;
  }

  // An output in a coarser type than the model computes in, such as logits behind a Cast, is
  // rounded once more, which its noise leaves out: it is measured against rounded numbers.
  Array with_own_rounding(const Noise& noise, const std::string& name, const OutputPair& pair) {
    const auto own = coarser(NumberFormat::kFloat32, pair.a.dtype());
    const auto other = coarser(NumberFormat::kFloat32, pair.b.dtype());
    if (!own || !other || pair.a.size() != noise.of_elements.size()) return noise.of_elements;
    const NumberFormat format = pair_format(own, *other);
    if (format == NumberFormat::kFloat32 || !rounds_at_last(name, format)) return noise.of_elements;
    const Array numbers = convert(pair.a.contiguous_aligned(), DataType::kFloat32);
    const auto of = numbers.as<float>(), known = noise.of_elements.as<float>();
    std::vector<float> all(known.size());
    for (size_t i = 0; i < all.size(); ++i) {
      // Half of the distance to the next number of the format.
      const float step = of[i] == 0 || !std::isfinite(of[i])
                             ? 0
                             : std::ldexp(1.0f, std::ilogb(of[i]) - significant_digits(format));
      all[i] = std::hypot(known[i], step);
    }
    return Array::of<float>(noise.of_elements.shape(), std::span<const float>(all));
  }

  // Whether the model computes an output in a wider format than this one: it lacks the type, or has
  // it by a Cast.
  bool rounds_at_last(const std::string& name, NumberFormat format) const {
    for (const graphsurgeon::TensorRef& output : model_->model().graph->outputs()) {
      if (output->name() != name) continue;
      const auto own = coarser(NumberFormat::kFloat32, output->dtype());
      const graphsurgeon::Node* producer = output->producer();
      return own != format || (producer && producer->op() == "Cast");
    }
    return false;
  }

  void say(const std::string& name, const std::string& text, bool passed) const {
    log_.log(passed ? Severity::kFinish : Severity::kError, kCompare,
             fmt::format("Noise Floor | Output: '{}' | {} (max allowed: {:g}) | {}", name, text,
                         job_.threshold, passed ? "PASSED" : "FAILED"));
  }

  std::optional<WholeModel> loaded_;
  const WholeModel* model_;  // null before the first iteration
  NoiseFloorJob job_;
  const KnownNoise known_;
  size_t iteration_ = 0;                      // that have begun
  std::unique_ptr<MetricFunction> function_;  // null: outputs are judged by their noise alone
  const RunnerMaker runner_;                  // for noise
  std::optional<OutputNoise> noise_;          // since the first iteration
  Logger& log_;
  Logger quiet_;  // of runners
  std::unique_ptr<FeedSource> feeds_;
  std::unordered_set<std::string> seen_;                      // reference runners of this iteration
  std::unordered_map<std::string, NumberFormat> of_results_;  // of the model
  std::set<std::string> formats_;                             // that results were judged by
  Noises among_ties_;                                         // of an output that fails behind ties
};

}  // namespace

std::shared_ptr<ResultComparison> noise_floor(NoiseFloorJob job, RunnerFactory& factory,
                                              Logger& log) {
  require_noise(job.runs, job.threshold);
  job.model = factory.onnx(job.model);
  return std::make_shared<NoiseFloor>(nullptr, std::move(job), factory, log, KnownNoise());
}

std::shared_ptr<ResultComparison> noise_floor_of(const WholeModel& model, NoiseFloorJob job,
                                                 RunnerFactory& factory, Logger& log,
                                                 KnownNoise known) {
  return std::make_shared<NoiseFloor>(&model, std::move(job), factory, log, std::move(known));
}

void require_noise(int64_t runs, double threshold) {
  require_noise_runs(runs);
  require_noise_threshold(threshold);
}

void require_noise_runs(int64_t runs) {
  if (runs < 2) {
    throw Error(fmt::format("{} noise run(s) are too few: one evaluation shows no spread", runs),
                "Give 2 or more.");
  }
}

void require_noise_threshold(double threshold) {
  if (!(threshold >= 1)) {
    throw Error(fmt::format("The noise threshold {} is below the noise itself", threshold),
                "Give 1 or more.");
  }
}

}  // namespace polygraphy
