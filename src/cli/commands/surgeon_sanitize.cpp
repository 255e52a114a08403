// `polygraphy surgeon sanitize`.
#include <algorithm>
#include <filesystem>

#include "base/arrays/py_repr.h"
#include "base/text.h"
#include "cli/args/data_loader.h"
#include "cli/args/folding.h"
#include "cli/args/logging.h"
#include "cli/args/onnx_loading.h"
#include "cli/args/onnx_shape_inference.h"
#include "cli/override_shapes.h"
#include "cli/plugin_paths.h"
#include "cli/surgery.h"
#include "cli/syntax/command.h"
#include "cli/syntax/value_parsing.h"
#include "graphsurgeon/passes/cleanup.h"
#include "graphsurgeon/passes/size_upper_bounds.h"
#include "graphsurgeon/passes/tensor_lookup.h"
#include "graphsurgeon/passes/toposort.h"
#include "polygraphy/backend/bundled_engine.h"
#include "polygraphy/backend/onnxrt_evaluator.h"
#include "polygraphy/inspect/unbounded_tensors.h"
#include "polygraphy/loaders/fold_model.h"
#include "polygraphy/surgeon/fallback_shapes.h"
#include "polygraphy/surgeon/verify.h"

namespace polygraphy::cli {
namespace {

using graphsurgeon::Model;
using graphsurgeon::Tensor;
using graphsurgeon::TensorLookup;
using graphsurgeon::TensorRef;

constexpr std::string_view kModule = "tools/surgeon/subtool/sanitize.py";

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
     .help = "Run the result and the input model on generated inputs of several shapes, and on "
             "those of --load-inputs. A folding rule that changes what the model computes is "
             "named, its rewrites are taken back, and a model of one node that shows the fault is "
             "saved beside the result.",
     .arity = Arity::kFlag,
     .origin = Origin::kOurs},
};

// Everything that the command does to the model, in terms of the libraries.
struct Plan {
  Metadata shapes;             // --override-input-shapes
  OrderedMap<int64_t> bounds;  // --set-unbounded-dds-upper-bound; "": for all others
  bool observe = false;        // --force-fallback-shape-inference
  bool cleanup = false;
  bool toposort = false;
  FoldingArgs folding;
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

Plan resolve(Session& session) {
  const ParsedArgs& args = session.args();
  Plan plan;
  plan.bounds = parse_bounds(args);
  plan.observe = args.has("--force-fallback-shape-inference");
  plan.cleanup = args.has("--cleanup");
  plan.toposort = args.has("--toposort");
  plan.folding = resolve_folding(args, session.log());
  return plan;
}

// As Python prints a dictionary.
std::string bounds_text(const std::vector<std::pair<TensorRef, int64_t>>& bounds) {
  std::string text = "{";
  for (const auto& [tensor, bound] : bounds) {
    if (text.size() > 1) text += ", ";
    text += py_str_repr(tensor->name()) + ": " + std::to_string(bound);
  }
  return text + "}";
}

void set_bounds(Model& model, const OrderedMap<int64_t>& wanted, Logger& log) {
  if (wanted.empty()) return;
  const TensorLookup tensors(*model.graph);
  const std::vector<const Tensor*> unbounded = unbounded_tensors(*model.graph);
  std::vector<std::pair<TensorRef, int64_t>> bounds;
  std::vector<std::string> bounded;
  for (const auto& [name, bound] : wanted) {
    if (name.empty()) continue;
    Tensor& tensor = tensors.get(name);
    if (std::find(unbounded.begin(), unbounded.end(), &tensor) == unbounded.end()) {
      bounded.push_back(name);
    }
    bounds.emplace_back(&tensor, bound);
  }
  if (const int64_t* bound = wanted.find("")) {
    for (const Tensor* tensor : unbounded) {
      if (!wanted.find(tensor->name())) bounds.emplace_back(&tensors.get(tensor->name()), *bound);
    }
  }
  if (!bounded.empty()) {
    log.warning(kModule, "These tensors set no size that is unbounded: " + py_list_repr(bounded) +
                             ". Their bounds are put in all the same.");
  }
  graphsurgeon::set_size_upper_bounds(*model.graph, bounds);
  log.info(kModule, "Set tensor upper bounds: " + bounds_text(bounds));
}

// All that is done to the model, as often as it is asked for.
class Sanitizer {
 public:
  Sanitizer(Session& session, const Surgery& surgery, const Plan& plan)
      : session_(session),
        surgery_(surgery),
        plan_(plan),
        evaluator_(resolve_plugin_paths(session.env()), session.log()) {}

  // From a fresh load of the input.
  Transformed run(const RewriteLimits& limits, Logger& log) {
    auto model = surgery_.open(log, [&](Model& loaded) { set_bounds(loaded, plan_.bounds, log); });
    const Metadata& shapes = surgery_.model_args().shapes;
    if (!shapes.empty()) override_shapes(*model, shapes, log);
    if (plan_.observe) {
      apply_shapes(*model,
                   observe_model(session_, *model, shapes, observable_tensors(*model), log));
    }
    if (plan_.cleanup) graphsurgeon::cleanup(*model);
    if (plan_.toposort) graphsurgeon::toposort(*model);
    const bool infers = surgery_.source().shape_inference;
    if (!shapes.empty() && infers) infer_model_shapes(*model, log);
    Transformed result;
    if (plan_.folding.fold) {
      result.rewrites = fold(*model, limits, log);
      if (infers) infer_model_shapes(*model, log);
    }
    result.model = std::move(*model);
    return result;
  }

  // With what the user wants of it that changes results, so that only the rest is judged.
  Model input() const {
    ModelSource source = surgery_.source();
    source.outputs.clear();
    source.exclude_outputs.clear();
    source.outputs_by_type.clear();
    Logger silent;
    auto model = load_onnx(source, silent);
    set_bounds(*model, plan_.bounds, silent);
    return std::move(*model);
  }

 private:
  std::vector<graphsurgeon::Rewrite> fold(Model& model, const RewriteLimits& limits, Logger& log) {
    graphsurgeon::FoldOptions options = plan_.folding.options;
    options.infer_shapes = options.infer_shapes && surgery_.source().shape_inference;
    options.evaluator = &evaluator_;
    options.max_rewrites = limits.max_rewrites;
    options.skip_rules.insert(options.skip_rules.end(), limits.skip_rules.begin(),
                              limits.skip_rules.end());
    return fold_model(model,
                      {options, plan_.folding.passes,
                       "To fold them as well: --max-growth unlimited, or a larger size. -v says "
                       "which nodes they are."},
                      log);
  }

  Session& session_;
  const Surgery& surgery_;
  const Plan& plan_;
  OnnxrtEvaluator evaluator_;
};

std::string without_extension(const std::string& path) {
  return std::filesystem::path(path).replace_extension().string();
}

Model verified(Session& session, const Surgery& surgery, Sanitizer& sanitizer) {
  VerifyOptions options;
  options.transform = [&](const RewriteLimits& limits, Logger& log) {
    return sanitizer.run(limits, log);
  };
  options.load_input = [&] { return sanitizer.input(); };
  DataLoaderArgs inputs = resolve_data_loader(session.args(), session.env(),
                                              surgery.model_args().shapes, session.log());
  use_graph_of(surgery.source(), inputs);
  options.data = inputs.options;
  options.data.announce_shapes = false;
  options.inputs = inputs.load_inputs;
  if (inputs.script || inputs.torch) {
    throw Error("--verify takes no inputs from Python.",
                "Save them with `run --save-inputs` and give them with --load-inputs.");
  }
  options.reproduction_stem = without_extension(surgery.saving().path);
  BundledEngine engine(resolve_plugin_paths(session.env()), session.log());
  return verify(engine, options, session.log()).model;
}

int run(Session& session) {
  if (session.args().has("--list-rules")) {
    session.env().out.write(list_of_rules());
    return 0;
  }
  Surgery surgery(session);
  const Plan plan = resolve(session);
  session.announce();
  Sanitizer sanitizer(session, surgery, plan);
  surgery.take(std::make_unique<Model>(session.args().has("--verify")
                                           ? verified(session, surgery, sanitizer)
                                           : sanitizer.run({}, session.log()).model));
  return surgery.save();
}

}  // namespace

extern const Command command_surgeon_sanitize;
constinit const Command command_surgeon_sanitize = {
    .path = "surgeon sanitize",
    .summary = "Clean up, sort and fold a model; change shapes and outputs.",
    .description =
        "Write an equivalent, smaller model: without nodes that no output needs, and with "
        "constants computed. Or change input shapes, outputs and precision.",
    .order = 1,
    .groups = kGroups,
    .options = kOptions,
    .announces = true,
    .run = run,
};

}  // namespace polygraphy::cli
