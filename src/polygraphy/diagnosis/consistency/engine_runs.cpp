#include "polygraphy/diagnosis/consistency/engine_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "polygraphy/data/inputs/adapt_feed.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/diagnosis/consistency/batch.h"
#include "polygraphy/models/decoder/decoder_feeds.h"
#include "polygraphy/models/decoder/decoder_form.h"
#include "polygraphy/models/decoder/some_tokens.h"

namespace polygraphy {
namespace {

// A prompt with an empty cache, whose lengths fit each other. Of `feed`, the number of rows and the
// values of other inputs are kept, and the number of tokens if there are several.
ValueMap prefill_feed(const DecoderForm& form, size_t seed, const ValueMap& feed) {
  int64_t rows = 1, length = kUsualPrompt;
  const Value* value = feed.find(form.tokens);
  if (value && value->as_tensor() && value->as_tensor()->rank() == 2) {
    rows = value->as_tensor()->shape()[0];
    if (value->as_tensor()->shape()[1] > 1) length = value->as_tensor()->shape()[1];
  }
  if (form.step_tokens > 0) length = form.step_tokens;
  const TokenRows tokens = some_tokens(form, rows, length, seed);
  return step_feed(form, {.tokens = tokens}, first_states(form, rows), with_open_masks(form, feed));
}

// A prefill of the tokens in `feed`, with its values of other inputs. Throws Error: it has no
// tokens.
ValueMap prefill_of(const DecoderForm& form, const ValueMap& feed) {
  const Value* value = feed.find(form.tokens);
  if (!value || !value->as_tensor())
    throw Error("The inputs have no '" + form.tokens + "': a prompt is missing");
  const TokenRows tokens = token_rows(*value->as_tensor());
  return step_feed(form, {.tokens = tokens}, first_states(form, tokens.rows), feed);
}

// The engine's saved form of a model must have the inputs of the model.
void require_inputs(const Metadata& inputs, const ValueMap& feed) {
  std::vector<std::string> missing;
  for (const auto& [name, info] : inputs) {
    if (!feed.contains(name) && info.kind != ValueKind::kOptional) missing.push_back(name);
  }
  if (missing.empty()) return;
  throw RunnerFailure(
      fmt::format("it requires {} input(s) that the model does not have, such as '{}'",
                  missing.size(), missing.front()));
}

void remove_option(const std::string& key, BackendOptions& options) {
  std::erase_if(options, [&](const auto& option) { return option.first == key; });
}

// The file that an option has the engine save is the user's, and no variation writes it.
RunnerSpec without_saving(RunnerSpec engine, const EngineSwitches& switches) {
  remove_option(switches.save, engine.session.options);
  return engine;
}

}  // namespace

EngineRuns::EngineRuns(const ConsistencyJob& job, const RunnerSpec& engine, RunnerFactory& factory,
                       const ModelFacts& facts, std::string folder, Logger& log)
    : job_(job),
      model_(job.model),
      engine_(without_saving(engine, factory.switches(engine))),
      factory_(factory),
      switches_(factory.switches(engine)),
      facts_(facts),
      folder_(std::move(folder)),
      log_(log) {}

RunnerSpec EngineRuns::varied(const EngineVariation& variation) const {
  RunnerSpec spec = engine_;
  spec.isolated |= variation.own_process;
  for (const auto& [key, values] : variation.options) remove_option(key, spec.session.options);
  for (const auto& option : variation.options) spec.session.options.push_back(option);
  return spec;
}

EngineRuns::~EngineRuns() {
  if (own_ && own_->active()) own_->deactivate();
}

Runner& EngineRuns::own() {
  if (!own_) {
    std::shared_ptr<Runner> made = factory_.make(engine_, model_, log_);
    made->activate();
    own_ = std::move(made);
  }
  return *own_;
}

const Metadata& EngineRuns::inputs() {
  if (inputs_.empty()) inputs_ = facts_.inputs.empty() ? own().input_metadata() : facts_.inputs;
  return inputs_;
}

std::string EngineRuns::precision() {
  return own().precision();
}

const std::vector<ValueMap>& EngineRuns::feeds() {
  if (!feeds_.empty()) return feeds_;
  const Metadata& wanted = own().input_metadata();
  const auto source = job_.make_feeds ? job_.make_feeds() : generated_feeds({}, log_);
  const auto most = static_cast<size_t>(std::max(job_.samples, job_.batch_size));
  while (feeds_.size() < most) {
    job_.cancel.check();
    const auto feed = source->next(wanted);
    if (!feed) break;
    const bool without_cache =
        facts_.decoder && !source->generates() &&
        std::ranges::any_of(facts_.decoder->states,
                            [&](const DecoderState& state) { return !feed->contains(state.past); });
    feeds_.push_back(
        adapt_feed(without_cache ? prefill_of(*facts_.decoder, *feed) : *feed, wanted, log_));
    if (facts_.decoder && source->generates())
      feeds_.back() = prefill_feed(*facts_.decoder, feeds_.size(), feeds_.back());
    // Of inputs that are made, each is a row.
    if (feeds_.size() == 1 && job_.samples < job_.batch_size)
      require_batch_that_fits(feeds_.front(), job_.batch_size);
  }
  if (feeds_.empty()) throw Error(kNothingToCheck, "There is no input to run the model on");
  return feeds_;
}

std::vector<ValueMap> EngineRuns::samples() {
  const std::vector<ValueMap>& all = feeds();
  const auto count =
      std::min<int64_t>(std::max<int64_t>(job_.samples, 1), static_cast<int64_t>(all.size()));
  return {all.begin(), all.begin() + count};
}

ArrayMap EngineRuns::infer(const ValueMap& feed) {
  job_.cancel.check();
  Runner& runner = own();
  try {
    return flatten(runner.infer(feed));
  } catch (const RunnerFailure&) {
    // It may have been in a process that is no more.
    own_->deactivate();
    own_.reset();
    throw;
  }
}

std::vector<ArrayMap> EngineRuns::infer_samples() {
  std::vector<ArrayMap> outputs;
  for (const ValueMap& feed : samples()) outputs.push_back(infer(feed));
  return outputs;
}

const std::vector<ArrayMap>& EngineRuns::expected() {
  if (expected_.empty()) expected_ = infer_samples();
  return expected_;
}

std::vector<ArrayMap> EngineRuns::run(const EngineVariation& variation) {
  return run(variation, model_);
}

std::vector<ArrayMap> EngineRuns::run(const EngineVariation& variation, const ModelSource& model) {
  const std::vector<ValueMap> feeds = samples();
  job_.cancel.check();
  const std::shared_ptr<Runner> runner = factory_.make(varied(variation), model, log_);
  const ActiveRunner active(*runner);
  require_inputs(runner->input_metadata(), feeds.front());
  std::vector<ArrayMap> outputs;
  for (const ValueMap& feed : feeds) {
    job_.cancel.check();
    outputs.push_back(flatten(runner->infer(feed)));
  }
  return outputs;
}

}  // namespace polygraphy
