#include "polygraphy/diagnosis/zoo/zoo.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/log_modules.h"
#include "base/os/system_error.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/ir/copy.h"
#include "numerics/non_finite.h"
#include "polygraphy/comparison/compare/judged_sample.h"
#include "polygraphy/comparison/verdict/tally.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/data/tensors/graph_metadata.h"
#include "polygraphy/diagnosis/locate/locate.h"
#include "polygraphy/diagnosis/locate/noise_floor.h"
#include "polygraphy/diagnosis/zoo/crash_reduction.h"
#include "polygraphy/diagnosis/zoo/tried_again.h"
#include "polygraphy/diagnosis/zoo/zoo_engine.h"
#include "polygraphy/diagnosis/zoo/zoo_models.h"

namespace polygraphy {
namespace {

constexpr size_t kMostGuilty = 3;

IterationResult result_of(const ZooRun& run) {
  IterationResult result;
  result.outputs = flatten(*run.outputs);
  result.runner_name = run.result.engine;
  result.precision = run.precision;
  return result;
}

bool are_equal(const ArrayMap& one, const ArrayMap& other) {
  return one.size() == other.size() && std::ranges::all_of(one, [&](const auto& entry) {
           const Array* array = other.find(entry.first);
           return array && array->dtype() == entry.second.dtype() &&
                  array->shape() == entry.second.shape() && bitwise_equal(*array, entry.second);
         });
}

// Those of outputs have equal names.
ZooOutcome outcome_of(Agreement agreement) {
  if (agreement == Agreement::kAgrees) return ZooOutcome::kPassed;
  return parse_word<ZooOutcome>(name_of(agreement)).value_or(ZooOutcome::kNotRun);
}

// A sentence about the first output whose shape differs; empty: all shapes are equal.
std::string other_shape(const IterationResult& expected, const IterationResult& observed) {
  const auto text = [](const Array& array) {
    return shape_text(DimList(array.shape().begin(), array.shape().end()));
  };
  for (const auto& [name, array] : expected.outputs) {
    const Array* other = observed.outputs.find(name);
    if (!other || other->shape() == array.shape()) continue;
    return fmt::format("Output '{}' has the shape {} on {}, and {} on {}", name, text(*other),
                       observed.runner_name, text(array), expected.runner_name);
  }
  return {};
}

// An output without a finite number agrees with nothing, not even with itself.
void require_finite(const ArrayMap& outputs, ZooEngineResult& result) {
  for (const auto& [name, array] : outputs) {
    if (!is_floating(array.dtype()) || array.size() == 0 || has_finite_number(array)) continue;
    result.outcome = ZooOutcome::kNotFinite;
    result.reason = fmt::format("Output '{}' has no finite number", name);
    return;
  }
}

// "image:[1,3,32,32]", of open dimensions.
std::vector<std::string> open_shapes(const Metadata& inputs, const ValueMap& feed) {
  std::vector<std::string> shapes;
  for (const auto& [name, value] : feed) {
    const TensorInfo* info = inputs.find(name);
    if (!info || (info->shape && is_static(*info->shape)) || !value.as_tensor()) continue;
    std::string text;
    for (const int64_t length : value.tensor().shape())
      text += (text.empty() ? "" : ",") + std::to_string(length);
    shapes.push_back(fmt::format("{}:[{}]", name, text));
  }
  return shapes;
}

// As locate has it: nodes without a name are called by their first output.
std::string name_of_node(const graphsurgeon::Node& node) {
  if (!node.name().empty() || node.outputs().empty()) return std::string(node.name());
  return std::string(node.outputs().front()->name());
}

std::string label_of(const std::string& node, const std::string& op) {
  return node + " (" + op + ")";
}

}  // namespace

struct Zoo::State {
  ZooJob job;
  RunnerFactory& factory;
  Logger& log;
  Logger quiet;
  std::vector<std::unique_ptr<ZooEngine>> engines;
  RunnerSpec noise = bundled_runner_spec();
  bool has_libraries = false;

  State(ZooJob given, RunnerFactory& runners, Logger& messages)
      : job(std::move(given)), factory(runners), log(messages) {
    require_noise(job.noise_runs, job.threshold);
    show_as_verbose(quiet, log, log_modules::kZoo);
    for (RunnerSpec& spec : job.engines) {
      if (job.threads > 0) factory.set_threads(spec, job.threads);
      engines.push_back(std::make_unique<ZooEngine>(spec, factory.tools(), job.timeout, quiet));
    }
    noise.name = "noise";
    if (job.threads > 0) factory.set_threads(noise, job.threads);
  }

  // Compares a run with the reference's; an error is its reason.
  void judge(const std::string& path, const ValueMap& feed, const ZooRun& reference, ZooRun& run) {
    try {
      run.result.stage = ZooStage::kCompare;
      tried_again([&] { compare(path, feed, reference, run); });
      if (run.result.outcome == ZooOutcome::kPassed) run.result.stage = ZooStage::kDone;
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      if (is_killed(error)) run.result.outcome = ZooOutcome::kKilled;
      run.result.reason = std::string("The outputs cannot be compared: ") + error.what();
    }
  }

  // A missing library is not a failure of each model.
  void require_libraries() {
    if (std::exchange(has_libraries, true)) return;
    for (const auto& engine : engines) engine->require_library();
  }

  // Adds shapes of generated inputs to the result.
  ValueMap feed_of(const std::string& path, const graphsurgeon::Model& model,
                   ZooModelResult& result) {
    const Metadata inputs = metadata_of_variables(model.graph->inputs());
    const auto saved = std::filesystem::path(path).parent_path() / kInputsFolder;
    std::error_code ignored;
    std::unique_ptr<FeedSource> feeds;
    if (std::filesystem::is_directory(saved, ignored)) {
      feeds = saved_feeds({saved.native()}, quiet);
    } else {
      DataLoaderOptions options = job.inputs;
      options.iterations = 1;
      if (job.valid) options.model = [path] { return graphsurgeon::load_model(path); };
      feeds = generated_feeds(std::move(options), quiet);
    }
    if (inputs.empty()) return {};
    ValueMap feed = feeds->next(inputs).value_or(ValueMap());
    if (feeds->generates()) result.inputs = open_shapes(inputs, feed);
    return feed;
  }

  void compare(const std::string& path, const ValueMap& feed, const ZooRun& reference,
               ZooRun& target) {
    const IterationResult expected = result_of(reference), observed = result_of(target);
    ZooEngineResult& result = target.result;
    if (are_equal(expected.outputs, observed.outputs)) {
      Tally tally;
      tally.next_sample();
      for (const auto& [name, output] : expected.outputs) {
        tally.compared(name, true);
        tally.has_elements(name, output.size() > 0);
      }
      return take(tally.verdict(), observed, result);
    }
    if (result.reason = other_shape(expected, observed); !result.reason.empty()) {
      result.outcome = ZooOutcome::kOtherShape;
      return;
    }
    NoiseFloorJob floor{.model = {.path = path, .inline_refused = true},
                        .noise = noise,
                        .make_feeds = [&] { return given_feeds({&feed, 1}); },
                        .runs = job.noise_runs,
                        .threshold = job.threshold,
                        .cancel = job.cancel};
    for (const auto& engine : engines) {
      floor.runners.push_back(engine->spec());
      floor.runners.back().name = engine->spec().label();
    }
    const auto judge = noise_floor(std::move(floor), factory, quiet);
    JudgedSample sample = judged_sample(judge->compare(expected, observed));
    const Verdict verdict = verdict_of(sample, *judge, expected, observed);
    result.outputs = std::move(sample.units);
    take(verdict, observed, result);
  }

  static void take(const Verdict& verdict, const IterationResult& observed,
                   ZooEngineResult& result) {
    result.outcome = outcome_of(verdict.agreement);
    result.excess = verdict.excess;
    if (!passed(result.outcome) || verdict.empty > 0) result.reason = headline(verdict);
    if (passed(result.outcome)) require_finite(observed.outputs, result);
  }

  void reduce(const std::string& path, const ValueMap& feed, const ZooEngine& engine,
              ZooEngineResult& result) {
    try {
      result.reduced = reduce_crash({.model = path,
                                     .engine = engine.spec(),
                                     .feed = feed,
                                     .seconds = job.reduce_seconds,
                                     .timeout = job.timeout,
                                     .cancel = job.cancel},
                                    factory, quiet);
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      quiet.verbose(log_modules::kZoo, path + " was not reduced: " + error.what());
    }
  }

  // Of a single node, no search is needed.
  void find_guilty(const std::string& path, const ValueMap& feed, int64_t nodes,
                   const graphsurgeon::Model& model, const ZooEngine& reference,
                   const ZooEngine& target, ZooEngineResult& result) {
    if (nodes == 1) {
      for (const auto& node : model.graph->nodes())
        result.guilty.push_back(label_of(name_of_node(*node), std::string(node->op())));
      return;
    }
    LocateJob locating{.model = {.path = path, .inline_refused = true},
                       .reference = factory.isolated(reference.spec()),
                       .target = factory.isolated(target.spec()),
                       .noise = noise,
                       .make_feeds = [&] { return given_feeds({&feed, 1}); },
                       .ask_format = true,
                       .noise_runs = job.noise_runs,
                       .threshold = job.threshold,
                       .prove = false,
                       .cancel = job.cancel};
    const LocateResult located = locate(locating, factory, quiet);
    for (const NodeFinding& finding : located.nodes) {
      if (!is_guilty(finding.verdict) || result.guilty.size() == kMostGuilty) break;
      result.guilty.push_back(label_of(finding.node, finding.op));
    }
  }
};

Zoo::Zoo(ZooJob job, RunnerFactory& factory, Logger& log)
    : state_(std::make_unique<State>(std::move(job), factory, log)) {}
Zoo::~Zoo() = default;

ZooModelResult Zoo::examine(const std::string& path, const std::string& name) {
  State& zoo = *state_;
  zoo.require_libraries();
  ZooModelResult result{.model = name};
  ValueMap feed;
  std::optional<graphsurgeon::Model> model;
  try {
    model = graphsurgeon::load_model(path);
    result.nodes = static_cast<int64_t>(model->graph->nodes().size());
    feed = zoo.feed_of(path, *model, result);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    result.problem = error.what();
    if (error.hint().starts_with(kRefusedBySandbox)) result.problem += ". " + error.hint();
    return result;
  }
  std::vector<ZooRun> runs;
  std::optional<size_t> reference;
  for (const auto& engine : zoo.engines) {
    zoo.job.cancel.check();
    runs.push_back(engine->run(path, feed));
    if (!runs.back().outputs) continue;
    if (reference) {
      zoo.judge(path, feed, runs[*reference], runs.back());
    } else {
      reference = runs.size() - 1;
      result.reference = engine->spec().label();
      runs.back().result.outcome = ZooOutcome::kPassed;
      require_finite(flatten(*runs.back().outputs), runs.back().result);
      if (!passed(runs.back().result.outcome)) runs.back().result.stage = ZooStage::kCompare;
    }
  }
  for (size_t i = 0; i < runs.size(); ++i) {
    ZooEngineResult& one = runs[i].result;
    if (one.outcome == ZooOutcome::kDiffers && zoo.job.locate) {
      try {
        tried_again([&] {
          zoo.find_guilty(path, feed, result.nodes, *model, *zoo.engines[*reference],
                          *zoo.engines[i], one);
        });
      } catch (const Interrupted&) {
        throw;
      } catch (const Error& error) {
        one.reason += std::string("; no node was found: ") + error.what();
      }
    }
    if (one.outcome == ZooOutcome::kCrashed && zoo.job.reduce_seconds > 0)
      zoo.reduce(path, feed, *zoo.engines[i], one);
    result.engines.push_back(std::move(one));
  }
  return result;
}

OrderedMap<std::string> Zoo::versions() const {
  OrderedMap<std::string> versions;
  for (const auto& engine : state_->engines) {
    if (!engine->version().empty()) versions.set(engine->spec().label(), engine->version());
  }
  return versions;
}

}  // namespace polygraphy
