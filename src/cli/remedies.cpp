#include "cli/remedies.h"

#include <string_view>

#include "graphsurgeon/io/save_errors.h"
#include "graphsurgeon/ir/payloads/external_payload.h"
#include "graphsurgeon/passes/tensor_lookup.h"
#include "polygraphy/benchmark/benchmark_cases.h"
#include "polygraphy/benchmark/benchmark_job.h"
#include "polygraphy/compare/accuracy.h"
#include "polygraphy/compare/accuracy/check_accuracy.h"
#include "polygraphy/compare/grouped_run.h"
#include "polygraphy/compare/image_distance.h"
#include "polygraphy/compare/postprocess.h"
#include "polygraphy/debug/interactive_check.h"
#include "polygraphy/debug/loop.h"
#include "polygraphy/inputs/data_loader_errors.h"
#include "polygraphy/inspect/inspect_data.h"
#include "polygraphy/reduce/auto_reduce.h"
#include "polygraphy/reduce/interestingness/candidate_round.h"
#include "polygraphy/reduce/interestingness/journal.h"
#include "polygraphy/reduce/interestingness/speculative_checks.h"
#include "polygraphy/reduce/reduce_job.h"
#include "polygraphy/results/saved_document.h"
#include "polygraphy/run/memory_plan.h"
#include "polygraphy/surgeon/extract.h"
#include "polygraphy/surgeon/fallback_shapes.h"
#include "polygraphy/surgeon/override_shapes.h"

namespace polygraphy::cli {
namespace {

struct Remedy {
  ErrorCode code;
  std::string_view text;          // behind the hint
  std::string_view message = {};  // the error itself in terms of options; empty: as it is
  bool is_hint = false;           // `text` takes the place of the hint
};

constexpr Remedy kRemedies[] = {
    {kMemoryLimitTooLow, "--save-outputs saves, --load-outputs compares."},
    {kBatchFixed, "--benchmark-shapes gives them."},
    {kInputShapeUnknown, "--input-shapes NAME:[...] sets it."},
    {kInputTypeNotGenerated, "--load-inputs loads them."},
    {kNoAccuracyResults, "`polygraphy run … --save-accuracy-results` writes them."},
    {kNoIterations, "--iterations generates them, --load-inputs loads them."},
    {kNoSavedTensors, "--save-inputs and --save-outputs write them."},
    {kNothingToCompare, "Options are, for example, --onnxrt --openvino, or --load-outputs."},
    {kSavedInputs, "--load-inputs loads them."},
    {kValueRangeUnsuitable, "--val-range sets it."},
    {kNothingToMeasure, "Select some: --onnxrt --openvino."},
    {graphsurgeon::kExternalDataElsewhere, "Another folder is given with --external-data-dir."},
    {graphsurgeon::kModelTooLarge, "The option for that: --save-external-data."},
    {graphsurgeon::kNoSuchTensor, "See `polygraphy inspect model --show layers` for its tensors."},
    {graphsurgeon::kSharedDataElsewhere, "Without --share-external-data, it is copied."},
    {kNoSuchSavedTensor, "Leave --tensors out to see all names."},
    {kNotObserved,
     "Give the model inputs that it takes: --load-inputs, or --val-range and input shapes."},
    {kNotSavedData,
     "Expected a file or directory as written by --save-inputs, --save-outputs or "
     "--save-accuracy-results."},
    {kShapeOfIntermediate, "To make it one: polygraphy surgeon extract --inputs."},
    {kTypesUnknown, "Give them: --inputs NAME:SHAPE:TYPE, --outputs NAME:TYPE."},
    {kArtifactInTheWay, "Another path is given with --iter-artifact."},
    {kCandidateFileInTheWay,
     "Another name is given with --iter-artifact, another folder with --work-dir."},
    {kCheckDecidesNothing, "The file is named by --iter-artifact."},
    {kForeignReplay, "The replay is given with --load-debug-replay."},
    {kJournalExists, "A reduction goes on with --resume; another file is given with --journal."},
    {kJournalInUse, "Another file is given with --journal."},
    {kForeignJournal, "Another file is given with --journal."},
    {kNothingToReduce, "The file is named by --iter-artifact."},
    {kOneIterationInfo, "",
     "--iter-info names one file, and with --jobs there is more than one iteration at a time"},
    {kArtifactOfEveryCheck, "The options are --jobs and --artifacts."},
    {kAverageWithFailFast, "", "--check-average cannot be combined with --fail-fast."},
    {kAverageOfElements, "",
     "--check-average is not supported with check_error_stat='elemwise' (the default). Specify "
     "--check-error-stat max, mean, median, or quantile."},
    {.code = kNoSavedFigures,
     .text = "Note: Re-run the comparison from saved raw outputs (run --save-outputs / "
             "--load-outputs) for such comparisons.",
     .is_hint = true},
    {.code = kNoSavedElements,
     .text = "Note: Choose an explicit statistic (--check-error-stat max, mean, median, or "
             "quantile), or re-run the comparison from saved raw outputs (run --save-outputs / "
             "--load-outputs).",
     .is_hint = true},
    {.code = kNoSavedQuantile,
     .text = "Note: 'quantile' statistics are only saved when the original comparison used "
             "--check-error-stat quantile. Choose max, mean, or median instead, or re-run the "
             "comparison from saved raw outputs.",
     .is_hint = true},
    {kNotInGroups,
     "The limit is given with --mem-limit, outputs are selected with --onnx-outputs."},
    {kNoLpips, "Without them: --compare quality_metrics (PSNR and SNR)."},
    {kNotPostprocessed, "An example is --postprocess NAME:top-5,axis=0."},
    {kNoAnswer, "Give a command that decides: --check COMMAND."},
};

const Remedy* remedy_of(const Error& error) {
  if (!error.code()) return nullptr;
  for (const Remedy& remedy : kRemedies) {
    if (remedy.code == error.code()) return &remedy;
  }
  return nullptr;
}

}  // namespace

std::string advice(const Error& error) {
  std::string text = error.hint();
  const Remedy* remedy = remedy_of(error);
  if (!remedy || remedy->text.empty()) return text;
  if (remedy->is_hint) return std::string(remedy->text);
  if (!text.empty()) text += text.back() == '.' ? " " : "\n";
  return text.append(remedy->text);
}

std::string message(const Error& error) {
  const Remedy* remedy = remedy_of(error);
  return remedy && !remedy->message.empty() ? std::string(remedy->message) : error.what();
}

}  // namespace polygraphy::cli
