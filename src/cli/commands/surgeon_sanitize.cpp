// `polygraphy surgeon sanitize`.
#include "base/error.h"
#include "base/py_numbers.h"
#include "cli/args/data_loader.h"
#include "cli/args/folding.h"
#include "cli/args/isolation.h"
#include "cli/args/model.h"
#include "cli/args/onnx_saving.h"
#include "cli/jobs/surgeon_command.h"
#include "cli/syntax/command.h"
#include "cli/syntax/value_parsing.h"
#include "polygraphy/model_tools/surgeon/sanitize.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, "model_file --override-input-shapes"},
    {&args_data_loader},
    {&args_onnx_shape_inference,
     "--no-shape-inference --force-fallback-shape-inference --no-onnxruntime-shape-inference"},
    {&args_onnx_loading,
     "--external-data-dir --ignore-external-data --outputs --exclude-outputs --outputs-by-type "
     "--fp-to-fp16 --set-unbounded-dds-upper-bound"},
    {&args_onnx_saving, kSavingOptions},
    {&args_folding},
};

constexpr Option kOptions[] = {
    {.spellings = "--cleanup",
     .help = "Remove nodes, weights and declarations that no output needs.",
     .arity = Arity::kFlag},
    {.spellings = "--toposort",
     .help = "Sort the nodes, so that producers come before consumers.",
     .arity = Arity::kFlag},
    {.spellings = "--verify",
     .help = "Run the result and the input model on generated inputs of several shapes, and on the "
             "inputs of --load-inputs. A rewrite of folding that changes the model's results, or "
             "keeps the model from loading, is reported and reverted, and a model of one node that "
             "reproduces the error is saved in the folder OUTPUT.verify.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs},
    {.spellings = "--timeout",
     .help =
         "Stop a model that takes longer than this many seconds to load or to run for --verify; "
         "its results are not verified then. Default: 300.",
     .type = ValueType::kFloat,
     .metavar = "SECONDS",
     .origin = Origin::kOurs,
     .needs = "--verify"},
};

OrderedMap<int64_t> parse_bounds(const ParsedArgs& args) {
  OrderedMap<int64_t> bounds;
  for (const auto& [name, text] : parse_key_values(args.list("--set-unbounded-dds-upper-bound"))) {
    const auto bound = parse_int(text);
    if (!bound) {
      throw Error("Could not understand the upper bound '" + text + "'" +
                      (name.empty() ? "" : " of the tensor '" + name + "'") + ".",
                  "Bounds are whole numbers: --set-unbounded-dds-upper-bound 1000 NAME:200");
    }
    bounds.set(name, *bound);
  }
  return bounds;
}

VerificationData resolve_verification(Session& session, const SurgeryFiles& files) {
  DataLoaderArgs inputs = resolve_data_loader(session.args(), session.env(),
                                              resolve_shapes(session.args()), session.log());
  use_graph_of(files.model, inputs);
  if (inputs.script || inputs.torch) {
    throw Error("--verify does not support inputs from Python.",
                "Save them with `run --save-inputs` and load them with --load-inputs.");
  }
  VerificationData data{inputs.options, inputs.load_inputs};
  data.timeout = resolve_timeout(session.args()).value_or(data.timeout);
  return data;
}

int run_command(Session& session) {
  const ParsedArgs& args = session.args();
  if (args.has("--list-rules")) {
    session.env().out.write(list_of_rules());
    return 0;
  }
  SanitizeOptions options;
  options.files = resolve_surgery(session);
  options.input_shapes = resolve_shapes(args);
  options.upper_bounds = parse_bounds(args);
  options.observe_shapes = args.has("--force-fallback-shape-inference");
  options.cleanup = args.has("--cleanup");
  options.toposort = args.has("--toposort");
  options.fold = resolve_folding(args, session.log());
  options.run = resolve_observed_run(session, options.input_shapes);
  session.announce();
  if (args.has("--verify")) options.verify = resolve_verification(session, options.files);
  return finish(session, sanitize(options, session.log()).model);
}

}  // namespace

extern constinit const Command command_surgeon_sanitize = {
    .path = "surgeon sanitize",
    .summary = "Clean up, sort and fold a model; change shapes and outputs.",
    .description =
        "Write an equivalent, smaller model: without nodes that no output needs, and with folded "
        "constants. Or change input shapes, outputs and precision.",
    .examples =
        "polygraphy surgeon sanitize model.onnx --fold-constants -o folded.onnx\n"
        "polygraphy surgeon sanitize model.onnx --cleanup --toposort --verify -o clean.onnx",
    .order = 1,
    .groups = kGroups,
    .options = kOptions,
    .announces = true,
    .run = run_command,
};

}  // namespace polygraphy::cli
