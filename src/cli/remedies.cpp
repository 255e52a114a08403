#include "cli/remedies.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/args/model_checks.h"
#include "graphsurgeon/io/save_errors.h"
#include "graphsurgeon/ir/payloads/external_payload.h"
#include "graphsurgeon/passes/tensor_lookup.h"
#include "polygraphy/comparison/benchmark/benchmark_cases.h"
#include "polygraphy/comparison/benchmark/benchmark_job.h"
#include "polygraphy/comparison/compare/accuracy.h"
#include "polygraphy/comparison/compare/accuracy/check_accuracy.h"
#include "polygraphy/comparison/compare/comparison_requirements.h"
#include "polygraphy/comparison/compare/metrics/shared/image_distance.h"
#include "polygraphy/comparison/compare/postprocess.h"
#include "polygraphy/comparison/run/open_dimensions.h"
#include "polygraphy/comparison/run_job/grouped_run.h"
#include "polygraphy/comparison/task_metrics/judged_output.h"
#include "polygraphy/comparison/task_metrics/labels.h"
#include "polygraphy/comparison/task_metrics/task_metric_comparison.h"
#include "polygraphy/comparison/task_metrics/token_labels.h"
#include "polygraphy/data/inputs/calibration_feeds.h"
#include "polygraphy/data/inputs/data_loader_errors.h"
#include "polygraphy/data/inputs/prompts.h"
#include "polygraphy/data/results/input_blobs.h"
#include "polygraphy/data/results/saved_document.h"
#include "polygraphy/diagnosis/debug_loop/interactive_check.h"
#include "polygraphy/diagnosis/debug_loop/loop.h"
#include "polygraphy/diagnosis/debug_loop/repeat.h"
#include "polygraphy/diagnosis/debug_loop/rounds.h"
#include "polygraphy/diagnosis/locate/locate.h"
#include "polygraphy/diagnosis/precision/find_precision.h"
#include "polygraphy/diagnosis/reduce/auto_reduce.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/batch_checks.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/candidate_round.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/journal.h"
#include "polygraphy/diagnosis/reduce/reduce_job.h"
#include "polygraphy/model_tools/inspect/inspect_data.h"
#include "polygraphy/model_tools/surgeon/extract.h"
#include "polygraphy/model_tools/surgeon/fallback_shapes.h"
#include "polygraphy/model_tools/visual/viewer_server.h"
#include "polygraphy/models/loaders/override_shapes.h"
#include "polygraphy/models/parts/memory_shares.h"
#include "polygraphy/models/plugin_patterns/replace_subgraph.h"
#include "polygraphy/models/plugin_patterns/replacement_config.h"
#include "polygraphy/models/sharding/shard_sequence.h"
#include "polygraphy/models/tensorflow/convert_tensorflow.h"
#include "polygraphy/runtimes/backend/unknown_ranks.h"
#include "tasks/scheduler.h"

namespace polygraphy::cli {
namespace {

// For commands that have all options that `text` names.
struct Remedy {
  ErrorCode code;
  std::string_view text;          // behind the hint; NAME is the input of an InputError
  std::string_view message = {};  // the error itself in terms of options; empty: as it is
  bool is_hint = false;           // `text` takes the place of the hint
  bool for_all = false;           // `text` names options of other commands or of back ends
  bool in_process = false;        // for checks without a command only
  bool once = false;              // where the option that it names was given, it did not help
};

// Of several for a code, the first that suits the command.
constexpr Remedy kRemedies[] = {
    {kNoCheckpointNamed, "Name it with --ckpt NAME."},
    {kNotCut, "Run it as a whole: without --on, and with a higher --mem-limit or none."},
    {kNotCut, "Run it as a whole: with a higher --mem-limit or none."},
    {kNeedsWholeModel, "Raise --mem-limit, or leave out the option."},
    {kMemoryLimitTooLow,
     "Save the outputs with --save-outputs, and compare them with --load-outputs."},
    {kMemoryLimitTooLow, "Raise --mem-limit."},
    {.code = kBatchFixed,
     .text = "Give whole shapes with --benchmark-shapes instead of --benchmark-batch, or export "
             "the model with a dynamic batch dimension.",
     .is_hint = true},
    {.code = kNoFirstFeed,
     .text = "Check --load-inputs or --data-loader-script: a benchmark runs their first set.",
     .is_hint = true},
    {.code = kInputShapeUnknown, .text = "Set it with --input-shapes NAME:[...].", .is_hint = true},
    {.code = kInputShapeUnknown,
     .text = "Set it with --model-input-shapes NAME:[...].",
     .is_hint = true},
    {.code = kInputShapeUnknown,
     .text = "Set it with --override-input-shapes NAME:[...].",
     .is_hint = true},
    {kGeneratedCache,
     "Run a prompt with an empty cache: --decode 0, and --prompts FILE for given ones."},
    {kGeneratedCache, "Set others in this form with --input-shapes."},
    {.code = kOpenDimensions,
     .text = "Let --data-loader valid find others, or set them in this form with --input-shapes.",
     .once = true},
    {kOpenDimensions, "Set others in this form with --input-shapes."},
    {.code = kUnknownRanks,
     .text = "It needs the ranks of all tensors in advance. To store the shapes of a run in the "
             "model: `polygraphy surgeon sanitize MODEL --override-input-shapes NAME:[...] "
             "--force-fallback-shape-inference -o fixed.onnx`.",
     .for_all = true},
    {.code = kPortNotAvailable,
     .text = "Choose another port with --visual-port PORT; 0 selects any free port.",
     .is_hint = true},
    {kInputTypeNotGenerated, "Load them with --load-inputs."},
    {.code = kNoAccuracyResults,
     .text = "`polygraphy run … --save-accuracy-results` writes them.",
     .for_all = true},
    {.code = kNotAPluginConfig, .text = "`polygraphy plugin match` writes one.", .for_all = true},
    {.code = kForeignPluginConfig,
     .text = "`polygraphy plugin match` writes one.",
     .for_all = true},
    {.code = kNoComparisons,
     .text = "`polygraphy run … --load-outputs` compares with saved outputs.",
     .for_all = true},
    {kNoRawForm, "Use --save-inputs."},
    {kNoIterations, "Generate them with --iterations, or load them with --load-inputs."},
    {kCalibrationShape, "Set them with --trt-opt-shapes or --input-shapes."},
    {kNoIterationsToCalibrate, "Generate them with --iterations, or load them with --load-inputs."},
    {.code = kNoSavedTensors,
     .text = "--save-inputs and --save-outputs write them.",
     .for_all = true},
    {.code = kNothingToCompare,
     .text = "For example: --onnxrt --openvino, or --load-outputs.",
     .for_all = true},
    {kSavedInputs, "Load them with --load-inputs."},
    {kValueRangeUnsuitable, "Set it with --val-range."},
    {.code = kNothingToMeasure, .text = "Select some: --onnxrt --openvino.", .for_all = true},
    {.code = graphsurgeon::kExternalDataElsewhere,
     .text = "Name another folder with --external-data-dir.",
     .once = true},
    {graphsurgeon::kModelTooLarge, "Use --save-external-data."},
    {.code = graphsurgeon::kNoSuchTensor,
     .text = "List its tensors with `polygraphy inspect model --show layers`.",
     .for_all = true},
    {graphsurgeon::kSharedDataElsewhere, "Leave out --share-external-data to copy it."},
    {kNoSuchSavedTensor, "Leave --tensors out to see all names."},
    {kNotObserved, "Give the model valid inputs: --load-inputs, or --val-range and input shapes."},
    {.code = kNotSavedData,
     .text = "Expected a file or directory as written by --save-inputs, --save-outputs or "
             "--save-accuracy-results.",
     .for_all = true},
    {.code = kShapeOfIntermediate,
     .text = "To make it one: polygraphy surgeon extract --inputs.",
     .for_all = true},
    {kTypesUnknown, "Give them: --inputs NAME:SHAPE:TYPE, --outputs NAME:TYPE."},
    {kReproductionInTheWay, "Name another folder with --reproduction, or '' for none."},
    {kArtifactInTheWay, "Name another path with --iter-artifact."},
    {kCandidateFileInTheWay,
     "Choose another name with --iter-artifact, or another folder with --work-dir."},
    {kRoundFileInTheWay, "Choose another name with --iter-artifact."},
    {.code = kCheckDecidesNothing,
     .text =
         "The inputs or the back end may cause the failure. Does the check pass on another model?",
     .is_hint = true,
     .in_process = true},
    {kCheckDecidesNothing, "--iter-artifact sets the file's name."},
    {kForeignReplay, "Check --load-debug-replay."},
    {kForeignRound, "Check --load-debug-replay."},
    {.code = kHigherPrecisionOff,
     .text = "Please also specify `--fp16` as a command-line option",
     .for_all = true},
    {kNoLowerPrecision, "",
     "Please enable at least one precision besides float32 (e.g. --int8, --fp16, --tf32)"},
    {.code = kNoLayerPrecisions,
     .text = "--mode auto finds the nodes of the model that must stay in float32.",
     .is_hint = true},
    {kNodesInFloat32, "Choose the mode with --mode, the precision with --precision."},
    {kTypesOfModel, "--mode bisect tries precisions of layers."},
    {kFailsInFloat32, "--iter-artifact sets the file's name."},
    {kJournalExists, "Continue the reduction with --resume, or name another file with --journal."},
    {kJournalInUse, "Name another file with --journal."},
    {kForeignJournal, "Name another file with --journal."},
    {.code = kNothingToReduce,
     .text = "Try another check, or other inputs: --load-inputs, --val-range, --seed.",
     .is_hint = true,
     .in_process = true},
    {kNothingToReduce, "--iter-artifact sets the file's name."},
    {kOneIterationInfo, "",
     "--iter-info names one file, but several iterations run at a time (--on, --jobs)"},
    {kArtifactOfEveryCheck, "Leave out --artifacts, --on or --jobs."},
    {kNoAllocation, "Use --on local:N, or start this with salloc or sbatch."},
    {kAverageWithFailFast, "", "--check-average cannot be combined with --fail-fast."},
    {kAverageOfElements, "",
     "--check-average is not supported with check_error_stat='elemwise' (the default). Specify "
     "--check-error-stat max, mean, median, or quantile."},
    {.code = kNoSavedFigures,
     .text = "Note: Re-run the comparison from saved raw outputs (run --save-outputs / "
             "--load-outputs) for such comparisons.",
     .is_hint = true,
     .for_all = true},
    {.code = kNoSavedElements,
     .text = "Note: Choose an explicit statistic (--check-error-stat max, mean, median, or "
             "quantile), or re-run the comparison from saved raw outputs (run --save-outputs / "
             "--load-outputs).",
     .is_hint = true,
     .for_all = true},
    {.code = kNoSavedQuantile,
     .text = "Note: 'quantile' statistics are only saved when the original comparison used "
             "--check-error-stat quantile. Choose max, mean, or median instead, or re-run the "
             "comparison from saved raw outputs.",
     .is_hint = true,
     .for_all = true},
    {kNotInGroups, "Raise --mem-limit, or select fewer outputs with --onnx-outputs."},
    {kShardRankUnknown, "Infer them with --shape-inference."},
    {.code = kNoTokenizer,
     .text = "Give it with --tokenizer, or prompts as token ids with --prompts.",
     .is_hint = true},
    {kNoLabels, "Name their file with --labels FILE."},
    {.code = kNoTokens,
     .text = "Name a file of the next tokens with --labels FILE.",
     .is_hint = true},
    {kOtherNumberOfLabels, "For batches of several sizes: --metric-order given."},
    {kUnevenBatches, "Leave the inputs in their order with --metric-order given."},
    {kWhichOutput, "Choose one with --metric-output NAME."},
    {kNoLpips, "Use --compare quality_metrics (PSNR and SNR) without them."},
    {kNotPostprocessed, "For example: --postprocess NAME:top-5,axis=0."},
    {kNoAnswer, "Give a check command: --check COMMAND."},
};

std::vector<std::string_view> options_in(std::string_view text) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz-";
  std::vector<std::string_view> options;
  for (size_t at = text.find("--"); at != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_not_of(kLetters, at), text.size());
    options.push_back(text.substr(at, end - at));
    at = text.find("--", end);
  }
  return options;
}

bool suits(const Remedy& remedy, const ParsedArgs* args) {
  if (!args) return !remedy.in_process;
  if (remedy.in_process && !selected_model_check(*args)) return false;
  const auto options = options_in(remedy.text);
  const Syntax& syntax = args->syntax();
  if (!remedy.for_all && !std::all_of(options.begin(), options.end(),
                                      [&](auto option) { return syntax.find(option); })) {
    return false;
  }
  return !remedy.once || std::none_of(options.begin(), options.end(), [&](auto option) {
    return syntax.find(option) && args->has(option);
  });
}

const Remedy* remedy_of(const Error& error, const ParsedArgs* args) {
  if (!error.code()) return nullptr;
  for (const Remedy& remedy : kRemedies) {
    if (remedy.code == error.code() && suits(remedy, args)) return &remedy;
  }
  return nullptr;
}

std::string text_of(const Remedy& remedy, const Error& error) {
  std::string text(remedy.text);
  constexpr std::string_view kName = "NAME";
  const auto* of_input = dynamic_cast<const InputError*>(&error);
  const size_t at = of_input ? text.find(kName) : std::string::npos;
  if (at != std::string::npos) text.replace(at, kName.size(), of_input->input());
  return text;
}

}  // namespace

std::string advice(const Error& error, const ParsedArgs* args) {
  std::string text = error.hint();
  const Remedy* remedy = remedy_of(error, args);
  if (!remedy || remedy->text.empty()) return text;
  if (remedy->is_hint) return text_of(*remedy, error);
  if (!text.empty()) text += text.back() == '.' ? " " : "\n";
  return text.append(text_of(*remedy, error));
}

std::string message(const Error& error, const ParsedArgs* args) {
  const Remedy* remedy = remedy_of(error, args);
  return remedy && !remedy->message.empty() ? std::string(remedy->message) : error.what();
}

}  // namespace polygraphy::cli
