// `polygraphy debug sensitivity`.
#include <string>
#include <utility>
#include <vector>

#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "cli/args/comparison.h"
#include "cli/args/data_loader.h"
#include "cli/args/isolation.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_saving.h"
#include "cli/jobs/command_setup.h"
#include "cli/jobs/decoding_option.h"
#include "cli/jobs/next_commands.h"
#include "cli/jobs/option_warnings.h"
#include "cli/jobs/page_graphs.h"
#include "cli/jobs/page_identity.h"
#include "cli/jobs/report_file.h"
#include "cli/jobs/runner_specs.h"
#include "cli/jobs/task_metric_option.h"
#include "cli/jobs/verdict_code.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/runner_tools.h"
#include "cli/session/session.h"
#include "cli/syntax/command.h"
#include "polygraphy/comparison/verdict/verdict_log.h"
#include "polygraphy/diagnosis/sensitivity/exclusion_lists.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity_json.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity_page.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity_text.h"
#include "polygraphy/runtimes/decoding/decoding.h"

namespace polygraphy::cli {

namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_runners},
    {&args_backend_path},
    {&args_required_model, "model_file --model-type --input-shapes"},
    {&args_onnx_shape_inference, "--shape-inference --no-onnxruntime-shape-inference"},
    {&args_onnx_loading, kLoadingOptions},
    {&args_engines},
    {&args_data_loader},
    {&args_decoding, "--prompt --prompts --tokenizer --decoder-names"},
    {&args_isolation, "--isolate --timeout --mem-limit"},
    {&args_onnx_saving,
     "--save-external-data --external-data-size-threshold --no-save-all-tensors-to-one-file "
     "--share-external-data"},
    {&args_comparison, "--compare"},
    {&args_simple},
    {&args_other_functions},
    {&args_task_metric, "--metric --labels --metric-output --metric-drop"},
    {&args_report_forms},
};

constexpr Option kOptions[] = {
    {.spellings = "--format",
     .help = "Format of quantised weights: int8 (with the inputs of layers), int4, fp8, fp4, bf16 "
             "or fp16. Behind a colon, separated by commas: block=N, per-tensor, asymmetric, "
             "weights-only. Default: int8.",
     .metavar = "FORMAT"},
    {.spellings = "--float-model",
     .help = "The model in floating point, if the model is already quantised: find its layers that "
             "suffer.",
     .files = FileUse::kRead,
     .metavar = "FILE"},
    {.spellings = "--limit",
     .help = "Largest accepted relative error of an output, norm(difference) / norm(reference), "
             "unless --compare or --metric decides. Default: 0.01.",
     .type = ValueType::kFloat,
     .metavar = "ERROR"},
    {.spellings = "--most-sets",
     .help = "Maximum number of layer sets to try. Default: 512 for up to 9 layers, else "
             "max(64, layers + 16).",
     .type = ValueType::kInt,
     .metavar = "COUNT"},
    {.spellings = "--embeddings",
     .help = "Quantise tables of Gather nodes, too.",
     .arity = Arity::kFlag},
    {.spellings = "-o --output",
     .help = "Write the mixed model to this file.",
     .files = FileUse::kWritten},
    {.spellings = "--save-exclusions",
     .help = "Write the nodes that stay in floating point to this file, as ModelOpt, ONNX Runtime "
             "and Olive take them (nodes_to_exclude).",
     .files = FileUse::kWritten,
     .metavar = "FILE"},
    {.spellings = "--json",
     .help = "Write the results to this file as JSON.",
     .files = FileUse::kWritten,
     .metavar = "FILE"},
};

constexpr std::string_view kOtherChecks[] = {"--limit", "--compare"};
constexpr std::string_view kLimit[] = {"--limit"};

class SensitivityCommand {
 public:
  explicit SensitivityCommand(Session& session)
      : session_(session), args_(session.args()), env_(session.env()), log_(session.log()) {
    show_as_verbose(quiet_, log_, log_modules::kSensitivity);
  }

  // `page`: null without --report.
  int run(ReportPage* page) {
    CommandSetup setup = resolve_setup(session_, ModelNeed::kOnnx);
    resolve_inputs(session_, setup);
    const DataLoaderArgs& inputs = setup.inputs;
    SensitivityJob job{.model = setup.model};
    resolve_options(job);
    warn_of_unused_backend_options(args_, log_);
    session_.announce();
    const RunnerTools tools = resolve_runner_tools(session_);
    job.check = resolve_check(tools);
    RunnerFactory factory(tools, quiet_);
    std::vector<RunnerSpec> engines = resolve_runner_specs(args_, env_, setup.shapes);
    if (engines.size() > 1) {
      throw Error("One runner runs the model, but there are " + std::to_string(engines.size()),
                  "Without one, ONNX Runtime does.");
    }
    if (engines.empty())
      engines.push_back(resolve_runner_spec(args_, env_, "onnxrt", setup.shapes));
    require_runnable(session_, engines, setup.model);
    const PageEngines shown(page, engines, factory);
    job.engine = std::move(engines.front());
    job.make_feeds = [&] { return make_feeds(inputs, tools.python, log_); };
    use_prompts(setup, factory, job);
    job.cancel = tools.cancel;
    require_inputs(inputs);
    const DeferredInterrupts interrupts(env_, DeferredSignals::kInterrupt);
    const SensitivityResult result = find_sensitivity(job, factory, quiet_);
    report(result);
    if (page) {
      add_sections(sensitivity_sections(result), *page);
      add_graphs(session_, {setup.model}, *page);
    }
    interrupts.check();
    return code_of(result.verdict());
  }

 private:
  // A language model is run on prompts, with an empty cache.
  void use_prompts(const CommandSetup& setup, RunnerFactory& factory, SensitivityJob& job) {
    const bool given = args_.has("--prompt") || args_.has("--prompts");
    job.decoding =
        given ? decoding_of(
                    setup.model,
                    {.steps = 0, .names = env_.path(args_.text("--decoder-names").value_or(""))},
                    factory, quiet_)
              : decoding_of_generated_prompts(session_, setup.model);
    if (!job.decoding) return;
    job.make_feeds = prompts_for(session_, setup, job.decoding->form(), std::move(job.make_feeds),
                                 factory.tools().python);
  }

  void resolve_options(SensitivityJob& job) const {
    const auto format = args_.text("--format");
    if (const auto reference = args_.text("--float-model")) {
      if (format) {
        throw Error("--format and --float-model exclude each other",
                    "With --float-model, the model has the formats that are judged.");
      }
      job.quantized = std::exchange(job.model, {.path = env_.path(*reference)});
    } else {
      job.format = parse_weight_format(format.value_or("int8"));
    }
    job.output = resolve_onnx_saving(args_, env_);
    job.most_sets = args_.integer("--most-sets");
    job.embeddings = args_.has("--embeddings");
    job.memory_limit = resolve_memory_limit(args_).value_or(0);
  }

  SensitivityCheck resolve_check(const RunnerTools& tools) const {
    if (args_.has("--metric")) {
      refuse_together(args_, "--metric", kOtherChecks);
      warn_of_function_options(args_, "--metric", {}, log_);
      return resolve_output_check(args_, env_, tools.python);
    }
    if (gives_comparison(args_)) {
      refuse_together(args_, "--compare", kLimit);
      return resolve_output_check(args_, env_, tools.python);
    }
    return ErrorLimit{args_.number("--limit").value_or(ErrorLimit().limit)};
  }

  void report(const SensitivityResult& result) {
    for (const std::string& note : result.notes) log_.warning(log_modules::kSensitivity, note);
    log_.info(log_modules::kSensitivity, sensitivity_table(result));
    log_.log(severity_of(result.verdict()), log_modules::kSensitivity, sensitivity_summary(result));
    if (result.all_float) {
      log_.info(log_modules::kSensitivity,
                "`" + locate_command(args_) + "` finds the node that makes it");
    }
    if (const auto path = args_.text("--json"))
      write_file(env_.path(*path), sensitivity_json(result));
    if (const auto path = args_.text("--save-exclusions"))
      write_file(env_.path(*path), exclusion_lists(result));
  }

  Session& session_;
  const ParsedArgs& args_;
  Environment& env_;
  Logger& log_;
  Logger quiet_;  // of the many runs
};

// Exit code: 1 where the mixed model is beyond the limit.
int run_command(Session& session) {
  return reported(session, "Sensitivity",
                  [&](ReportPage* page) { return SensitivityCommand(session).run(page); });
}

}  // namespace

extern constinit const Command command_debug_sensitivity = {
    .path = "debug sensitivity",
    .summary = "Find the layers that suffer from quantisation.",
    .description =
        "Quantise each layer of a model alone, show the effect on the layer's output and on the "
        "model's, and find the cheapest set of layers that must stay in floating point for the "
        "model's outputs to be within a limit, to agree by a comparison function, or to lose no "
        "more of the task's accuracy than a limit. One session runs all of these models.",
    .examples =
        "polygraphy debug sensitivity model.onnx --limit 0.05 -o mixed.onnx --save-exclusions "
        "nodes.json\n"
        "polygraphy debug sensitivity model.onnx --format int4 --prompts prompts.json --compare "
        "tokens:kl=0.02,margin=0.5",
    .order = 6,
    .groups = kGroups,
    .options = kOptions,
    .announces = true,
    .failure = kCouldNotRun,
    .run = run_command,
};

}  // namespace polygraphy::cli
