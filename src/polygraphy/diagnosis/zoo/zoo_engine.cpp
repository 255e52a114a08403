#include "polygraphy/diagnosis/zoo/zoo_engine.h"

#include <utility>

#include "base/clock.h"

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

void set_reason(const std::string& text, ZooEngineResult& result) {
  result.reason = text.substr(0, text.find('\n'));
  if (result.reason.size() < text.size()) result.details = text;
}

}  // namespace

ZooEngine::ZooEngine(const RunnerSpec& spec, const RunnerTools& tools,
                     std::optional<double> timeout, Logger& quiet)
    : spec_(spec), worker_(tools.program, request_of(spec, tools), quiet) {
  worker_.set_timeout(timeout);
  worker_.set_cancel(tools.cancel);
}

template <typename Step>
bool ZooEngine::guarded(ZooStage stage, ZooEngineResult& result, Step step) {
  const ZooOutcome failure =
      stage == ZooStage::kLoad ? ZooOutcome::kNotLoaded : ZooOutcome::kNotRun;
  try {
    step();
    return true;
  } catch (const WorkerTookTooLong& error) {
    result.outcome = ZooOutcome::kTooSlow;
    set_reason(error.what(), result);
  } catch (const WorkerDied& error) {
    result.outcome = ZooOutcome::kCrashed;
    set_reason(error.what(), result);
  } catch (const Interrupted&) {
    throw;
  } catch (const RunnerFailure& error) {
    result.outcome = failure;
    set_reason(error.what(), result);
  } catch (const Error& error) {
    result.outcome = failure;
    set_reason(error.what(), result);
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
  ZooRun run{.result = {.engine = spec_.label()}};
  Metadata inputs;
  ZooCost& cost = run.result.cost;
  worker_.reset_peak_memory();
  const bool loaded = guarded(ZooStage::kLoad, run.result, [&] {
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
  const bool ran = guarded(ZooStage::kRun, run.result, [&] {
    Inference inference = worker_.infer(wanted(feed, inputs));
    cost.run_seconds = inference.seconds;
    run.outputs = std::move(inference.outputs);
  });
  measure_memory(cost);
  if (!ran && !worker_.running()) return run;
  ZooEngineResult at_end;
  if (!guarded(ZooStage::kRun, at_end, [&] { worker_.unload(); }) && ran) {
    run.result.outcome = at_end.outcome;
    run.result.stage = at_end.stage;
    run.result.reason = at_end.reason;
    run.result.details = at_end.details;
    run.outputs.reset();
  }
  return run;
}

}  // namespace polygraphy
