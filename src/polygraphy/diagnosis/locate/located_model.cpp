#include "polygraphy/diagnosis/locate/located_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "base/log_modules.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/comparison/compare/compared_iterations.h"
#include "polygraphy/data/inputs/adapt_feed.h"
#include "polygraphy/data/inputs/data_loader_errors.h"
#include "polygraphy/diagnosis/locate/noise_floor_of.h"
#include "polygraphy/diagnosis/locate/pair_format.h"
#include "polygraphy/diagnosis/locate/requested_format.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/noise/moved_weights.h"
#include "polygraphy/models/parts/node_chains.h"

namespace polygraphy {
namespace {

// nullopt: a saved side.
std::optional<NumberFormat> computed_format(const LocateSide& side,
                                            const std::optional<RunnerMaker>& maker,
                                            const WholeModel& model) {
  if (!maker) return std::nullopt;
  const NumberFormat requested = requested_format(std::get<RunnerSpec>(side));
  const graphsurgeon::Model small = graphsurgeon::parse_onnx_text(
      R"(<ir_version: 8, opset_import: ["" : 13]>
      small (float[1] x) => (float[1] y) { y = Add (x, x) })");
  const std::shared_ptr<Runner> runner = maker->make(model.write(small));
  try {
    const ActiveRunner active(*runner);
    return parse_number_format(runner->precision()).value_or(requested);
  } catch (const RunnerFailure&) {
    return requested;  // the model itself will show the error
  }
}

// A runner may compute in another format than the requested one.
void add_note(const LocateSide& side, std::optional<NumberFormat> computed, NumberFormat of_pair,
              std::vector<std::string>& notes) {
  if (!computed) return;
  const NumberFormat asked = requested_format(std::get<RunnerSpec>(side));
  if (*computed == asked) return;
  notes.push_back(
      fmt::format("{} runs in {} although {} was requested; {} noise is used as the limit",
                  name_of(side), name_of(*computed), name_of(asked), name_of(of_pair)));
}

void require_float16(const LocateRun& run) {
  const LocateJob& job = run.job;
  if (!job.remedy || job.remedy->output.path.empty() || run.target_format == NumberFormat::kFloat16)
    return;
  throw Error(kNoModelWithCasts,
              fmt::format("A model with Casts can be written for float16 only, but {} computes in "
                          "{}",
                          name_of(job.target), name_of(run.target_format)));
}

// The fewest samples that a side has, and the most, of saved results.
std::pair<int64_t, int64_t> saved_samples(const LocateJob& job) {
  int64_t fewest = std::numeric_limits<int64_t>::max(), most = 0;
  for (const LocateSide* side : {&job.reference, &job.target}) {
    const auto* saved = std::get_if<SavedSide>(side);
    if (!saved) continue;
    const int64_t samples = std::ssize(saved->results->runners[saved->runner].second);
    fewest = std::min(fewest, samples);
    most = std::max(most, samples);
  }
  return {fewest, most};
}

std::string hint_with_model(const Error& error, const LocateJob& job) {
  return fmt::format("{}{}The inputs are made for '{}'.", error.hint(),
                     error.hint().empty() ? "" : "\n", job.reference_model->path);
}

// `from`: null, or the model that feeds are made for.
std::optional<ValueMap> next_feed(FeedSource& source, const ReferenceModel* from,
                                  const LocatedModel& of) {
  const Metadata& inputs = from ? from->inputs() : of.model.given_inputs();
  try {
    auto feed = source.next(inputs);
    if (feed && from) feed = from->own_names(*feed);
    return feed ? std::optional(adapt_feed(*feed, inputs, of.log)) : std::nullopt;
  } catch (const InputError& error) {
    if (!from) throw;
    throw Error(error.code(), error.what(), hint_with_model(error, of.run.job));
  } catch (const FeedError& error) {
    if (!from) throw;
    throw Error(error.what(), hint_with_model(error, of.run.job));
  }
}

}  // namespace

LocatedModel::LocatedModel(const LocateJob& job, RunnerFactory& factory, Logger& logger)
    : run(job, factory, logger),
      model(std::move(*load_onnx(job.model, logger)), job.scratch, run.placement),
      chains(node_chains(*model.model().graph)),
      log(logger) {}

LocateRecord LocatedModel::begin() {
  LocateRecord record;
  ask_formats(record.notes);
  require_float16(run);
  check_quantization(record.notes);
  if (run.job.remedy) require_sense(run.job.remedy->check, model.outputs());
  if (run.job.reference_model) use_reference_model();
  record.samples = std::ssize(feeds());
  record.format = run.job.format;
  record.target_format = run.target_format;
  if (left_) {
    record.notes.push_back("The sides have different numbers of iterations: " +
                           left_iterations(record.samples));
  }
  return record;
}

const std::vector<ValueMap>& LocatedModel::feeds() {
  if (!feeds_.empty()) return feeds_;
  const LocateJob& job = run.job;
  const ReferenceModel* from = run.reference_model ? &*run.reference_model : nullptr;
  const auto source = job.make_feeds ? job.make_feeds() : generated_feeds({}, log);
  run.generated_feeds = source->generates();
  // Saved results have as many samples as they have.
  const auto [fewest, most] = saved_samples(job);
  while (auto feed = next_feed(*source, from, *this)) {
    left_ = std::ssize(feeds_) == fewest;
    if (left_) break;
    feeds_.push_back(std::move(*feed));
    job.cancel.check();
  }
  left_ |= most > std::ssize(feeds_);
  if (feeds_.empty()) throw Error(kNothingToLocate, "No sample to run the model on");
  if (from) {
    run.reference_feeds = feeds_;
    for (ValueMap& feed : feeds_) feed = from->target_feed(feed);
  }
  return feeds_;
}

void LocatedModel::ask_formats(std::vector<std::string>& notes) {
  LocateJob& job = run.job;
  if (!job.ask_format) return;
  const auto reference = computed_format(job.reference, run.reference, model);
  const auto target = is_same_runner(job.reference, job.target)
                          ? reference
                          : computed_format(job.target, run.target, model);
  job.format = pair_format(reference, target);
  run.target_format = target.value_or(job.format);
  add_note(job.reference, reference, job.format, notes);
  add_note(job.target, target, job.format, notes);
}

// Else the quantisation is not noise.
void LocatedModel::check_quantization(std::vector<std::string>& notes) {
  if (!run.job.quantization || has_quantized_weights(model.model())) return;
  notes.emplace_back(kNotQuantized);
  run.job.quantization = false;
}

void LocatedModel::use_reference_model() {
  LocateJob& job = run.job;
  const ReferenceModel& reference = run.reference_model.emplace(job, model, run.placement, log);
  const std::string& path = job.reference_model->path;
  require_float_model(reference.model().model(), path, model.model(), job.model.path);
  job.quantization = has_quantized_weights(model.model());
  // Two results cannot agree better than the coarser of both models permits. A coarser format of
  // the target's model is in its types, so its noise has it already.
  const auto coarse = reference.coarser_format(model);
  if (coarse && job.ask_format) {
    job.format = pair_format(job.format, coarse);
    run.reference_is_coarser = true;
    log.info(log_modules::kLocate,
             fmt::format("{} has results in {}, which {} has in a finer format: the noise of {} "
                         "counts",
                         path, name_of(*coarse), job.model.path, name_of(job.format)));
  }
  const auto count = std::ranges::count_if(model.nodes(), [&](const NodeFacts& node) {
    return std::ranges::any_of(node.makes,
                               [&](const std::string& tensor) { return reference.has(tensor); });
  });
  const size_t all = model.nodes().size();
  log.log(static_cast<size_t>(count) * 2 < all ? Severity::kWarning : Severity::kInfo,
          log_modules::kLocate,
          fmt::format("{} of {} nodes have results that {} has, too", count, all, path));
}

}  // namespace polygraphy
