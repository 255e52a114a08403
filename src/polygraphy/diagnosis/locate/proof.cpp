#include "polygraphy/diagnosis/locate/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/progress.h"
#include "polygraphy/diagnosis/locate/judging/ratio_in_place.h"
#include "polygraphy/diagnosis/locate/judging/rules.h"
#include "polygraphy/diagnosis/locate/measuring/given_runs.h"
#include "polygraphy/diagnosis/locate/measuring/model_runs.h"
#include "polygraphy/diagnosis/locate/measuring/side_runs.h"
#include "polygraphy/diagnosis/locate/models/in_type.h"

namespace polygraphy {
namespace {

constexpr size_t kNext = 3;  // nodes named as the next ones

class Proof {
 public:
  Proof(const LocateRun& run, const WholeModel& model, const std::vector<ValueMap>& feeds,
        const NodePart& positions, const Measurements& measurements)
      : job_(run.job),
        run_(run),
        model_(model),
        feeds_(feeds),
        positions_(positions),
        measurements_(measurements),
        given_(model.made_by(positions)) {
    for (const size_t position : positions)
      result_.replaced.push_back(model.nodes()[position].name);
  }

  LocateProof run() {
    if (!run_.reference || !run_.target) {
      result_.note = "one side has only saved results, and cannot run again";
      return std::move(result_);
    }
    for (const std::string& output : model_.outputs()) {
      if (std::find(given_.begin(), given_.end(), output) == given_.end())
        outputs_.push_back(output);
    }
    if (outputs_.empty()) {
      result_.note = "the nodes produce the outputs of the model themselves";
      return std::move(result_);
    }
    if (run_.reference_model && run_.reference_model->known(given_).size() < given_.size()) {
      result_.note = "the reference's model does not have all results of the nodes";
      return std::move(result_);
    }
    if (!run_.fit(model_, given_, feeds_.front(), feeds_.size())) {
      result_.note = "the results to replace exceed the memory limit";
      return std::move(result_);
    }
    keep_reference();
    for (const std::string& name : given_) {
      if (values_.front().contains(name)) continue;
      result_.note = fmt::format("'{}' is a sequence, which cannot be replaced", name);
      return std::move(result_);
    }
    if (!exceeding_.empty()) {
      result_.note = fmt::format("the numbers of '{}' exceed the range of its type", exceeding_);
      return std::move(result_);
    }
    result_.worst_before =
        worst(run_on(*run_.target, model_.with_outputs(outputs_)), result_.worst_output);
    result_.worst_after =
        worst(run_on(*run_.target, given_model(model_, positions_, values_)), result_.worst_output);
    result_.agrees = result_.worst_after <= job_.threshold;
    if (run_.reference_model) {
      // NaNs hide the noise of the target's model.
      if (!result_.agrees && !std::isfinite(result_.worst_before)) {
        result_.note = fmt::format(
            "the outputs of the target's model are NaN or infinite, so the noise of '{}' is not "
            "known",
            result_.worst_output);
      }
      return std::move(result_);
    }
    find_converse();
    if (!result_.agrees && run_.fit(model_, model_.made(), feeds_.front(), 2)) find_next();
    return std::move(result_);
  }

 private:
  void keep_reference() {
    std::vector<std::string> names = outputs_;
    names.insert(names.end(), given_.begin(), given_.end());
    values_.resize(feeds_.size());
    run_reference_side(
        run_, model_, names, feeds_,
        [&](int64_t sample, ArrayMap tensors) {
          ArrayMap& values = values_[static_cast<size_t>(sample)];
          for (const auto& [name, array] : tensors) {
            Array own = in_own_type(name, array);
            if (exceeding_.empty() && exceeds_type(array, own)) exceeding_ = name;
            values.set(name, std::move(own));
          }
        },
        log_);
  }

  // As nodes of the target's model read it.
  Array in_own_type(const std::string& name, const Array& array) const {
    const auto measured = measurements_.find(name);
    return !run_.reference_model || measured == measurements_.end()
               ? array
               : in_type(array, measured->second.type);
  }

  // The results of nodes that are off alone are those of a run alone: in place they may also have
  // errors of nodes before them. Others are off in place only, on ordinary inputs.
  std::vector<ArrayMap> own_results() {
    std::vector<ArrayMap> own =
        outputs_of(*run_.target, model_.with_outputs(given_), feeds_, job_.cancel);
    std::vector<NodePart> alone;
    std::vector<std::string> reads;
    for (const size_t position : positions_) {
      const NodeFacts& node = model_.nodes()[position];
      const bool off = std::any_of(node.makes.begin(), node.makes.end(), [&](const auto& name) {
        const auto found = measurements_.find(name);
        return found != measurements_.end() && found->second.isolated &&
               found->second.isolated->ratio > job_.threshold;
      });
      if (!off) continue;
      alone.push_back({position});
      for (const std::string& name : node.reads) {
        if (!feeds_.front().find(name)) reads.push_back(name);
      }
    }
    if (alone.empty()) return own;
    const std::vector<ArrayMap> right =
        reads.empty()
            ? std::vector<ArrayMap>(feeds_.size())
            : outputs_of(*run_.reference, model_.with_outputs(reads), feeds_, job_.cancel);
    for (size_t sample = 0; sample < own.size(); ++sample) {
      const auto value = [&](const std::string& name) -> const Array* {
        if (const Array* made = right[sample].find(name)) return made;
        const Value* fed = feeds_[sample].find(name);
        return fed ? fed->as_tensor() : nullptr;
      };
      // Values of sizes are part of this model.
      const ExplodedModel exploded = explode(model_.model(), alone, value);
      ValueMap inputs;
      for (const std::string& name : exploded.inputs) {
        if (const Array* array = value(name)) inputs.set(name, *array);
      }
      const ArrayMap results = std::move(outputs_of(
                                             *run_.target, model_.write(exploded.model), 1,
                                             [&](int64_t) { return inputs; }, job_.cancel)
                                             .front());
      for (const ExplodedOutput& output : exploded.outputs) {
        if (const Array* array = results.find(output.name)) own[sample].set(output.tensor, *array);
      }
    }
    return own;
  }

  void find_converse() {
    std::vector<ArrayMap> right = std::move(values_);
    values_ = own_results();
    const std::vector<ArrayMap> results =
        run_on(*run_.reference, given_model(model_, positions_, values_));
    values_ = std::move(right);
    std::string output;
    result_.worst_with_only_these = worst(results, output);
    result_.suffices = explains(*result_.worst_with_only_these, result_.worst_before);
  }

  std::vector<ArrayMap> run_on(const RunnerMaker& maker, const ModelSource& source) const {
    return run_given(maker, source, feeds_, values_, job_.cancel);
  }

  double ratio(const std::string& name, size_t sample, const Array& observed) const {
    const Array* value = values_[sample].find(name);
    return value ? ratio_in_place(measurements_, name, sample, *value, observed, job_.format) : 0;
  }

  double worst(const std::vector<ArrayMap>& results, std::string& output) const {
    double worst = 0;
    for (size_t sample = 0; sample < results.size(); ++sample) {
      for (const auto& [name, observed] : results[sample]) {
        const double here = ratio(name, sample, observed);
        if (here <= worst && worst > 0) continue;
        worst = here;
        output = name;
      }
    }
    return worst;
  }

  // The first that are off with inputs that are not. Every tensor of the first sample is looked at.
  void find_next() {
    const ModelSource source = given_model(model_, positions_, values_, model_.made());
    std::unordered_set<std::string> off;
    ArrayMap reference;
    run_samples(
        *run_.reference, model_.with_outputs(source.outputs), 1, 1,
        [&](int64_t, int64_t) { return feeds_.front(); },
        [&](int64_t, int64_t, ArrayMap outputs) { reference = std::move(outputs); }, job_.cancel);
    for (const auto& [name, array] : reference) {
      if (!values_.front().contains(name)) values_.front().set(name, array);
    }
    const std::vector<ArrayMap> results = run_on(*run_.target, source);
    for (const auto& [name, observed] : results.front()) {
      if (ratio(name, 0, observed) > job_.threshold) off.insert(name);
    }
    for (const NodeFacts& node : model_.nodes()) {
      const auto is_off = [&](const std::string& name) { return off.contains(name); };
      if (result_.next.size() == kNext) break;
      if (std::any_of(node.makes.begin(), node.makes.end(), is_off) &&
          std::none_of(node.reads.begin(), node.reads.end(), is_off))
        result_.next.push_back(node.name);
    }
  }

  const LocateJob& job_;
  const LocateRun& run_;
  const WholeModel& model_;
  const std::vector<ValueMap>& feeds_;
  const NodePart& positions_;
  const Measurements& measurements_;
  LocateProof result_;
  Logger log_;  // of runs of halves
  std::vector<std::string> given_, outputs_;
  std::string exceeding_;         // a tensor of the reference that the target's type does not hold
  std::vector<ArrayMap> values_;  // of the reference: outputs and given results, by sample
};

class Acquittal {
 public:
  Acquittal(const LocateRun& run, const WholeModel& model, const std::vector<ValueMap>& feeds,
            const Measurements& measurements, std::vector<NodeFinding>& findings)
      : run_(run),
        model_(model),
        feeds_(feeds),
        measurements_(measurements),
        findings_(findings),
        values_(feeds.size()) {
    std::unordered_set<std::string_view> names;
    for (const NodeFinding& finding : findings) {
      if (finding.verdict == NodeVerdict::kGuiltyInside) continue;
      if (!is_guilty(finding.verdict) && finding.verdict != NodeVerdict::kOverflows) continue;
      guilty_.push_back(finding.position);
      names.insert(finding.node);
    }
    for (const NodeFinding& finding : findings) {
      if (finding.verdict != NodeVerdict::kGuiltyInside) continue;
      // On the reference's inputs, it is wrong with its neighbours, of which none is guilty alone.
      const bool among_neighbours =
          finding.neighbours && finding.neighbours->ratio > run.job.threshold &&
          std::ranges::none_of(finding.neighbourhood,
                               [&](const std::string& name) { return names.contains(name); });
      (among_neighbours ? guilty_ : suspects_).push_back(finding.position);
    }
    std::ranges::sort(guilty_);
  }

  void run() {
    if (suspects_.empty() || guilty_.size() + suspects_.size() < 2 || !keep_reference()) return;
    const ProgressPhase phase("testing which nodes are guilty only because of others");
    // The first one depends on no other suspect. More runs, each with the next one, acquit no other
    // node of the planted faults.
    if (guilty_.empty()) {
      guilty_.push_back(suspects_.front());
      suspects_.erase(suspects_.begin());
    }
    acquit();
  }

 private:
  // False: they are too large.
  bool keep_reference() {
    std::vector<std::string> names = model_.made_by(guilty_);
    std::ranges::copy(model_.made_by(suspects_), std::back_inserter(names));
    if (!run_.fit(model_, names, feeds_.front(), feeds_.size())) return false;
    Logger quiet;
    run_reference_side(
        run_, model_, names, feeds_,
        [&](int64_t sample, ArrayMap tensors) {
          for (auto& [name, array] : tensors)
            values_[static_cast<size_t>(sample)].set(name, std::move(array));
        },
        quiet);
    return true;
  }

  void acquit() {
    const ModelSource source = given_model(model_, guilty_, values_, model_.made_by(suspects_));
    if (source.outputs.empty()) return;
    const std::vector<ArrayMap> results =
        run_given(*run_.target, source, feeds_, values_, run_.job.cancel);
    std::erase_if(suspects_, [&](size_t position) {
      const auto& makes = model_.nodes()[position].makes;
      const bool right = std::ranges::all_of(
          makes, [&](const std::string& name) { return agrees(name, results); });
      if (right) findings_[position].verdict = NodeVerdict::kVictim;
      return right;
    });
  }

  bool agrees(const std::string& name, const std::vector<ArrayMap>& results) const {
    for (size_t sample = 0; sample < results.size(); ++sample) {
      const Array *right = values_[sample].find(name), *seen = results[sample].find(name);
      if (!right || !seen ||
          ratio_in_place(measurements_, name, sample, *right, *seen, run_.job.format) >
              run_.job.threshold)
        return false;
    }
    return true;
  }

  const LocateRun& run_;
  const WholeModel& model_;
  const std::vector<ValueMap>& feeds_;
  const Measurements& measurements_;
  std::vector<NodeFinding>& findings_;
  NodePart guilty_, suspects_;    // ascending
  std::vector<ArrayMap> values_;  // of the reference, by sample
};

}  // namespace

bool explains(double worst_with_only_these, double worst_before) {
  return worst_with_only_these * rules::kAbout >= worst_before;
}

LocateProof prove(const LocateRun& run, const WholeModel& model, const std::vector<ValueMap>& feeds,
                  const NodePart& positions, const Measurements& measurements) {
  return Proof(run, model, feeds, positions, measurements).run();
}

void acquit_victims(const LocateRun& run, const WholeModel& model,
                    const std::vector<ValueMap>& feeds, const Measurements& measurements,
                    std::vector<NodeFinding>& findings) {
  if (!run.reference || !run.target || run.reference_model) return;
  try {
    Acquittal(run, model, feeds, measurements, findings).run();
  } catch (const Interrupted&) {
    throw;
  } catch (const Error&) {
    // It takes no model with given results: the proof says so.
  }
}

}  // namespace polygraphy
