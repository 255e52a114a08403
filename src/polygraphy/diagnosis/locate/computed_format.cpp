#include "polygraphy/diagnosis/locate/computed_format.h"

#include <fmt/format.h>

#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/diagnosis/locate/pair_format.h"
#include "polygraphy/diagnosis/locate/requested_format.h"

namespace polygraphy {
namespace {

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

}  // namespace

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

void ask_formats(LocateRun& run, const WholeModel& model, std::vector<std::string>& notes) {
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

}  // namespace polygraphy
