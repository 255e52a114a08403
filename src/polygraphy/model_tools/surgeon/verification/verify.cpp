#include "polygraphy/model_tools/surgeon/verification/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/progress.h"
#include "polygraphy/data/inputs/adapt_feed.h"
#include "polygraphy/data/results/saved_inputs.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/model_tools/surgeon/verification/model_subset.h"
#include "polygraphy/model_tools/surgeon/verification/node_model.h"
#include "polygraphy/model_tools/surgeon/verification/output_agreement.h"
#include "polygraphy/model_tools/surgeon/verification/verify_inputs.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"
#include "polygraphy/runtimes/backend/instance.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::Rewrite;
using graphsurgeon::TensorRef;

// The outputs of the input model for one input.
struct Run {
  VerifyInput input;
  ArrayMap outputs;
};

struct Mismatch {
  size_t run = 0;
  std::string output;  // empty: the model did not run
  std::string text;
};

std::string list_of(const std::vector<std::string>& names) {
  return fmt::format("'{}'", fmt::join(names, "', '"));
}

void make_folder(const std::string& path) {
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (failed) throw IoError(fmt::format("cannot create the folder {}: {}", path, failed.message()));
}

class Verifier {
 public:
  Verifier(BundledRuntime& runtime, const VerifyOptions& options, Logger& log)
      : runtime_(runtime), options_(options), log_(log) {}

  Verified verify() {
    Verified done;
    Transformed current = options_.transform(limits_, log_);
    const ProgressPhase phase("verifying");
    only_loads_ = !run_input(current.model);
    const std::string not_run = problem_;
    while (const std::optional<Mismatch> mismatch = check(current.model)) {
      if (only_loads_ && check(transform(0).model) && check(options_.load_input())) {
        return not_verified(
            std::move(done), std::move(current),
            fmt::format("{}; the result does not load, either, with or without folding: {}",
                        not_run, mismatch->text));
      }
      log_.warning(log_modules::kSurgeonVerify, mismatch_text(*mismatch));
      log_.info(log_modules::kSurgeonVerify, "Searching for the guilty rewrite");
      const size_t rewrites = current.rewrites.size();
      current = {};
      std::optional<RolledBack> guilty =
          find_guilty(*mismatch, rewrites, done.rolled_back.size() + 1);
      if (!guilty) {
        done.verdict = Verification::kInputKept;
        done.reason = problem_;
        log_.warning(log_modules::kSurgeonVerify,
                     fmt::format("{}: keeping the input model", problem_));
        done.model = options_.load_input();
        return done;
      }
      announce(*guilty);
      done.rolled_back.push_back(std::move(*guilty));
      current = options_.transform(limits_, log_);
    }
    if (only_loads_) {
      return not_verified(std::move(done), std::move(current), not_run + "; the result loads");
    }
    done.model = std::move(current.model);
    done.runs = static_cast<int64_t>(runs_.size());
    done.bit_equal = bit_equal_;
    log_.info(log_modules::kSurgeonVerify,
              fmt::format("Verified: on {} input(s) the result agrees with the input model {}",
                          runs_.size(), bit_equal_ ? "bit by bit" : "except for rounding"));
    return done;
  }

 private:
  Verified not_verified(Verified done, Transformed current, std::string reason) {
    log_.warning(log_modules::kSurgeonVerify,
                 fmt::format("The result could not be verified: {}", reason));
    done.verdict = Verification::kNotRun;
    done.model = std::move(current.model);
    done.reason = std::move(reason);
    return done;
  }

  // Runs the input model; false when there is nothing to compare with, for the reason in problem_.
  bool run_input(const Model& result) {
    const Model input = options_.load_input();
    std::vector<TensorRef> common = common_outputs(input, result);
    if (common.empty()) {
      problem_ = "it has no output in common with the input model";
      return false;
    }
    std::unique_ptr<BackendSession> session;
    try {
      session = runtime_.load(with_outputs(input, std::move(common)));
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      problem_ = fmt::format("the input model does not run here: {}", error.what());
      return false;
    }
    std::vector<VerifyInput> inputs = inputs_for(*session, result);
    ProgressPhase phase("input model, run", static_cast<int64_t>(inputs.size()));
    for (VerifyInput& each : inputs) {
      try {
        ArrayMap outputs = flatten(run_model(*session, each.feed));
        runs_.push_back({std::move(each), std::move(outputs)});
      } catch (const Interrupted&) {
        throw;
      } catch (const LimitExceeded& error) {
        problem_ = error.what();
        break;
      } catch (const Error& error) {
        log_.verbose(
            log_modules::kSurgeonVerify,
            fmt::format("The input model does not run on {}: {}", each.what, error.what()));
        if (problem_.empty()) problem_ = error.what();
      }
      phase.step();
    }
    if (runs_.empty()) {
      problem_ = fmt::format("the input model does not run here: {}",
                             problem_.empty() ? "no inputs to run it on" : problem_);
      return false;
    }
    leave_out_random_outputs(*session);
    for (const Run& run : runs_) {
      log_.verbose(log_modules::kSurgeonVerify, fmt::format("Verifying on: {}", run.input.what));
    }
    return true;
  }

  // The result's outputs as tensors of the input model.
  std::vector<TensorRef> common_outputs(const Model& input, const Model& result) {
    const auto tensors = input.graph->tensor_map();
    std::vector<TensorRef> common;
    for (const TensorRef& output : result.graph->outputs()) {
      const auto found = tensors.find(output->name());
      if (found != tensors.end()) {
        common.emplace_back(found->second);
        compared_.emplace_back(output->name());
      } else {
        log_.warning(
            log_modules::kSurgeonVerify,
            fmt::format("Output '{}' is not in the input model: not verified", output->name()));
      }
    }
    return common;
  }

  // Shapes are those that the result takes: it may have been given narrower ones.
  std::vector<VerifyInput> inputs_for(const BackendSession& session, const Model& result) {
    Metadata inputs = metadata_of(session.inputs());
    for (const TensorRef& input : result.graph->inputs()) {
      TensorInfo* info = inputs.find(std::string(input->name()));
      if (!info || input->is_constant()) continue;
      const std::optional<DimList> narrow = input->shape();
      if (!narrow) continue;
      if (!info->shape || info->shape->size() != narrow->size()) {
        info->shape = narrow;
        continue;
      }
      for (size_t i = 0; i < narrow->size(); ++i) {
        if ((*narrow)[i].is_static()) (*info->shape)[i] = (*narrow)[i];
      }
    }
    std::vector<VerifyInput> found = generate_verify_inputs(inputs, options_.data, problem_, log_);
    if (options_.inputs.empty()) return found;
    InputReader reader(options_.inputs, log_);
    for (int64_t i = 0; const std::optional<ArrayMap> feed = reader.next(inputs); ++i) {
      found.push_back(
          {fmt::format("saved inputs {}", i), adapt_feed(unflatten(*feed, inputs), inputs, log_)});
    }
    return found;
  }

  void leave_out_random_outputs(BackendSession& session) {
    std::vector<std::string> random;
    const ArrayMap again = flatten(run_model(session, runs_.front().input.feed));
    for (const auto& [name, values] : runs_.front().outputs) {
      const Array* second = again.find(name);
      if (!second || !agreement({{name, values}}, {{name, *second}}).equal) random.push_back(name);
    }
    if (random.empty()) return;
    log_.warning(log_modules::kSurgeonVerify,
                 fmt::format("The input model computes {} differently each time: not "
                             "verified",
                             list_of(random)));
    for (const std::string& name : random) left_out_.push_back(name);
    for (Run& run : runs_) run.outputs = without_left_out(run.outputs);
  }

  ArrayMap without_left_out(const ArrayMap& outputs) const {
    if (left_out_.empty()) return outputs;
    ArrayMap kept;
    for (const auto& [name, values] : outputs) {
      if (std::find(left_out_.begin(), left_out_.end(), name) == left_out_.end()) {
        kept.set(name, values);
      }
    }
    return kept;
  }

  // The first difference between `model` and the input, on all runs or on one.
  std::optional<Mismatch> check(const Model& model, std::optional<size_t> only = std::nullopt) {
    if (only_loads_) return check_load(model);
    bit_equal_ = true;
    const size_t first = only.value_or(0), last = only ? *only + 1 : runs_.size();
    size_t i = first;
    ProgressPhase phase("result, run", static_cast<int64_t>(last - first));
    try {
      const std::unique_ptr<BackendSession> session = runtime_.load(comparable(model));
      for (; i < last; ++i) {
        const ArrayMap outputs =
            without_left_out(flatten(run_model(*session, runs_[i].input.feed)));
        const OutputAgreement found = agreement(runs_[i].outputs, outputs);
        phase.step();
        bit_equal_ &= found.bit_equal;
        if (!found.equal) return Mismatch{i, found.output, found.difference};
      }
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      return Mismatch{i, {}, error.what()};
    }
    return std::nullopt;
  }

  std::optional<Mismatch> check_load(const Model& model) {
    try {
      static_cast<void>(runtime_.load(with_outputs(model, model.graph->outputs())));
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      return Mismatch{0, {}, error.what()};
    }
    return std::nullopt;
  }

  // The model with those outputs only that the input model has, too.
  Model comparable(const Model& model) const {
    std::vector<TensorRef> outputs;
    for (const TensorRef& output : model.graph->outputs()) {
      const std::string name(output->name());
      if (std::find(compared_.begin(), compared_.end(), name) != compared_.end()) {
        outputs.push_back(output);
      }
    }
    return with_outputs(model, std::move(outputs));
  }

  std::string mismatch_text(const Mismatch& mismatch) const {
    if (only_loads_) return fmt::format("The result does not load: {}", mismatch.text);
    const std::string& what = runs_[mismatch.run].input.what;
    if (mismatch.output.empty()) {
      return fmt::format("The result does not run where the input model does (on {}): {}", what,
                         mismatch.text);
    }
    return fmt::format("The result differs from the input model: output '{}': {} (on {})",
                       mismatch.output, mismatch.text, what);
  }

  // nullopt: no rewrite is to blame, or skipping its rule has not helped; problem_ says which.
  std::optional<RolledBack> find_guilty(const Mismatch& mismatch, size_t rewrites, size_t number) {
    // Up to `good` rewrites the model still agrees on this run, with `bad` it does not.
    int64_t good = 0, bad = static_cast<int64_t>(rewrites);
    if (check(transform(0).model, mismatch.run)) {
      problem_ = "The difference exists without any rewrite of folding";
      return std::nullopt;
    }
    Transformed with_guilty = transform(bad);
    std::optional<Mismatch> seen = check(with_guilty.model, mismatch.run);
    if (!seen || bad == 0) {
      problem_ = "The difference is not deterministic, so the rewrite cannot be identified";
      return std::nullopt;
    }
    ProgressPhase phase("searching for the guilty rewrite, step",
                        std::bit_width(static_cast<uint64_t>(bad)));
    while (bad - good > 1) {
      const int64_t middle = good + (bad - good) / 2;
      Transformed attempt = transform(middle);
      if (std::optional<Mismatch> found = check(attempt.model, mismatch.run)) {
        bad = middle;
        seen = std::move(found);
        with_guilty = std::move(attempt);
      } else {
        good = middle;
      }
      phase.step();
    }
    if (static_cast<int64_t>(with_guilty.rewrites.size()) < bad) {
      problem_ = "Folding is not deterministic, so the rewrite cannot be identified";
      return std::nullopt;
    }

    const Rewrite& rewrite = with_guilty.rewrites[static_cast<size_t>(bad - 1)];
    RolledBack guilty;
    guilty.rule = rewrite.rule;
    guilty.op = rewrite.op;
    guilty.node = rewrite.node;
    guilty.tensors.assign(rewrite.tensors.begin(), rewrite.tensors.end());
    guilty.output = seen->output;
    guilty.difference = seen->text;
    if (!only_loads_) guilty.input = runs_[mismatch.run].input.what;
    if (std::find(limits_.skip_rules.begin(), limits_.skip_rules.end(), guilty.rule) !=
        limits_.skip_rules.end()) {
      problem_ = fmt::format("Rule '{}' is disabled but still produced rewrites", guilty.rule);
      return std::nullopt;
    }
    with_guilty = {};
    reproduce(guilty, good, only_loads_ ? ValueMap() : runs_[mismatch.run].input.feed, number);
    take_back(guilty);
    return guilty;
  }

  // The rewrite alone, as long as that helps.
  void take_back(RolledBack& guilty) {
    constexpr int kMostOfARule = 3;
    const auto is_kept = [&](const std::string& tensor) {
      const auto& kept = limits_.kept_tensors;
      return std::find(kept.begin(), kept.end(), tensor) != kept.end();
    };
    const bool was_kept = std::all_of(guilty.tensors.begin(), guilty.tensors.end(), is_kept);
    guilty.whole_rule = was_kept || ++taken_back_[guilty.rule] > kMostOfARule;
    if (guilty.whole_rule) {
      limits_.skip_rules.push_back(guilty.rule);
    } else {
      limits_.kept_tensors.insert(limits_.kept_tensors.end(), guilty.tensors.begin(),
                                  guilty.tensors.end());
    }
  }

  Transformed transform(int64_t max_rewrites) {
    Logger silent;
    RewriteLimits limits = limits_;
    limits.max_rewrites = max_rewrites;
    return options_.transform(limits, silent);
  }

  void reproduce(RolledBack& guilty, int64_t rewrites_before, const ValueMap& feed, size_t number) {
    if (options_.reproduction_folder.empty()) return;
    try {
      make_folder(options_.reproduction_folder);
      save_reproduction(guilty, rewrites_before, feed, number);
    } catch (const IoError& error) {
      // The result is the requested one.
      log_.warning(log_modules::kSurgeonVerify,
                   fmt::format("No reproduction is saved: {}", error.what()));
    }
  }

  void save_reproduction(RolledBack& guilty, int64_t rewrites_before, const ValueMap& feed,
                         size_t number) {
    const Transformed before = transform(rewrites_before);
    const NodeModel saved = save_node_model(
        runtime_, before.model, {guilty.node, guilty.op, guilty.tensors}, feed,
        fmt::format("{}/{}-{}", options_.reproduction_folder, number, guilty.rule), log_);
    guilty.model = saved.model;
    guilty.inputs = saved.inputs;
  }

  void announce(const RolledBack& guilty) {
    std::string text =
        guilty.whole_rule
            ? fmt::format("Disabled rule '{}': its rewrite of node '{}' ({}) changed the result",
                          guilty.rule, guilty.node, guilty.op)
            : fmt::format("Kept node '{}' ({}): its rewrite by rule '{}' changed the result",
                          guilty.node, guilty.op, guilty.rule);
    if (!guilty.tensors.empty()) text += fmt::format("; tensors: {}", list_of(guilty.tensors));
    if (guilty.output.empty()) {
      text += fmt::format("\nThe model no longer ran: {}", guilty.difference);
    } else {
      text += fmt::format("\nOutput '{}': {}", guilty.output, guilty.difference);
    }
    if (!guilty.model.empty()) {
      text += fmt::format("\nTo reproduce: {}{}", guilty.model,
                          guilty.inputs.empty() ? "" : ", on the inputs " + guilty.inputs);
    } else if (!options_.reproduction_folder.empty()) {
      text += "\nThe original node could not be isolated: no reproduction was saved";
    }
    log_.warning(log_modules::kSurgeonVerify, text);
  }

  BundledRuntime& runtime_;
  const VerifyOptions& options_;
  Logger& log_;
  RewriteLimits limits_;
  std::vector<Run> runs_;
  std::vector<std::string> compared_;  // outputs that the input model has, too
  std::vector<std::string> left_out_;
  std::map<std::string, int> taken_back_;  // rewrites, by rule
  std::string problem_;
  bool only_loads_ = false;  // the input model does not run: the result can but load
  bool bit_equal_ = true;
};

}  // namespace

void limit(graphsurgeon::FoldOptions& options, const RewriteLimits& limits) {
  options.max_rewrites = std::min(options.max_rewrites, limits.max_rewrites);
  options.skip_rules.insert(options.skip_rules.end(), limits.skip_rules.begin(),
                            limits.skip_rules.end());
  if (limits.kept_tensors.empty()) return;
  const std::set<std::string, std::less<>> kept(limits.kept_tensors.begin(),
                                                limits.kept_tensors.end());
  options.exclude = [kept, given = options.exclude](const graphsurgeon::Node& node) {
    return (given && given(node)) ||
           std::any_of(node.outputs().begin(), node.outputs().end(),
                       [&](const auto* output) { return kept.contains(output->name()); });
  };
}

Verified verify(BundledRuntime& runtime, const VerifyOptions& options, Logger& log) {
  const LimitedCalls limited(runtime, {.seconds = options.timeout});
  return Verifier(runtime, options, log).verify();
}

}  // namespace polygraphy
