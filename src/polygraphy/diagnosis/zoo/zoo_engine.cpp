#include "polygraphy/diagnosis/zoo/zoo_engine.h"

#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "polygraphy/diagnosis/zoo/tried_again.h"

namespace polygraphy {
namespace {

WorkerRequest request_of(const RunnerSpec& spec, const RunnerTools& tools) {
  return {.runner = spec.label(),
          .backend = spec.backend,
          .model = {.inline_refused = true},
          .options = spec.session,
          .library = spec.library,
          .paths = tools.paths};
}

// Some runtimes drop inputs that no node uses.
ValueMap wanted(const ValueMap& feed, const Metadata& inputs) {
  ValueMap wanted;
  for (const auto& [name, value] : feed) {
    if (inputs.contains(name)) wanted.set(name, value);
  }
  return wanted;
}

// Of a message behind "openvino | openvino cannot load m.onnx: ", which its row says, the first
// line; and the next one where the first announces it.
std::string short_reason(std::string_view text, const RunnerSpec& spec, const std::string& model) {
  const auto skip = [&](const std::string& front) {
    if (text.starts_with(front)) text.remove_prefix(front.size());
  };
  skip(spec.label() + " | ");
  skip(spec.backend + " cannot load " + model + ": ");
  skip(spec.backend + " failed to run " + model + ": ");
  std::string reason;
  for (const std::string_view line : split_lines(text)) {
    if (strip(line).empty()) continue;
    reason += (reason.empty() ? "" : " ") + std::string(strip(line));
    if (!reason.ends_with(':')) break;
  }
  return reason;
}

}  // namespace

ZooEngine::ZooEngine(const RunnerSpec& spec, const RunnerTools& tools,
                     std::optional<double> timeout, Logger& quiet)
    : spec_(spec), worker_(tools.program, request_of(spec, tools), quiet) {
  worker_.set_timeout(timeout);
  worker_.set_cancel(tools.cancel);
}

template <typename Step>
bool ZooEngine::guarded(ZooStage stage, const std::string& model, ZooEngineResult& result,
                        Step step) {
  const ZooOutcome failure =
      stage == ZooStage::kLoad ? ZooOutcome::kNotLoaded : ZooOutcome::kNotRun;
  const auto fails = [&](ZooOutcome outcome, const char* text) {
    result.outcome = outcome;
    result.reason = short_reason(text, spec_, model);
    if (result.reason != text) result.details = text;
  };
  try {
    step();
    return true;
  } catch (const WorkerTookTooLong& error) {
    fails(ZooOutcome::kTooSlow, error.what());
  } catch (const WorkerDied& error) {
    if (ended_from_outside(error.status())) throw;
    fails(ZooOutcome::kCrashed, error.what());
  } catch (const Interrupted&) {
    throw;
  } catch (const RunnerFailure& error) {
    fails(failure, error.what());
  } catch (const Error& error) {
    fails(failure, error.what());
    worker_.end();  // an answer may be outstanding
  }
  result.stage = stage;
  return false;
}

// Of a process that has ended, it is not known.
void ZooEngine::measure_memory(ZooCost& cost) const {
  const auto bytes = worker_.peak_memory();
  cost.peak_bytes = bytes ? std::optional(static_cast<int64_t>(*bytes)) : std::nullopt;
}

ZooRun ZooEngine::run(const std::string& model, const ValueMap& feed) {
  ZooStage stage = ZooStage::kLoad;
  try {
    return tried_again([&] { return run_once(model, feed, stage); });
  } catch (const WorkerDied& killed) {
    return {.result = {.engine = spec_.label(),
                       .outcome = ZooOutcome::kKilled,
                       .stage = stage,
                       .reason = short_reason(killed.what(), spec_, model),
                       .details = killed.what()}};
  }
}

// `stage`: the present one.
ZooRun ZooEngine::run_once(const std::string& model, const ValueMap& feed, ZooStage& stage) {
  stage = ZooStage::kLoad;
  ZooRun run{.result = {.engine = spec_.label()}};
  Metadata inputs;
  ZooCost& cost = run.result.cost;
  worker_.reset_peak_memory();
  const bool loaded = guarded(stage, model, run.result, [&] {
    const double start = seconds_now();
    worker_.begin_load(model);
    inputs = worker_.finish_load();
    cost.load_seconds = seconds_now() - start;
  });
  if (!loaded) {
    measure_memory(cost);
    return run;
  }
  run.precision = worker_.precision();
  stage = ZooStage::kRun;
  const bool ran = guarded(stage, model, run.result, [&] {
    Inference inference = worker_.infer(wanted(feed, inputs));
    cost.run_seconds = inference.seconds;
    run.outputs = std::move(inference.outputs);
  });
  measure_memory(cost);
  if (!ran && !worker_.running()) return run;
  ZooEngineResult at_end;
  if (!guarded(stage, model, at_end, [&] { worker_.unload(); }) && ran) {
    run.result.outcome = at_end.outcome;
    run.result.stage = at_end.stage;
    run.result.reason = at_end.reason;
    run.result.details = at_end.details;
    run.outputs.reset();
  }
  return run;
}

}  // namespace polygraphy
