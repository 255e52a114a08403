#include "polygraphy/model_tools/surgeon/sanitize.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/passes/cleanup.h"
#include "graphsurgeon/passes/size_upper_bounds.h"
#include "graphsurgeon/passes/tensor_lookup.h"
#include "graphsurgeon/passes/toposort.h"
#include "graphsurgeon/passes/unbounded_tensors.h"
#include "polygraphy/model_tools/surgeon/verification/verify.h"
#include "polygraphy/models/loaders/infer_model_shapes.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/loaders/override_shapes.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"
#include "polygraphy/runtimes/backend/onnxrt_evaluator.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::Rewrite;
using graphsurgeon::Tensor;
using graphsurgeon::TensorLookup;
using graphsurgeon::TensorRef;

// As Python prints a dictionary.
std::string bounds_text(const std::vector<std::pair<TensorRef, int64_t>>& bounds) {
  std::string text = "{";
  for (const auto& [tensor, bound] : bounds) {
    if (text.size() > 1) text += ", ";
    text += py_str_repr(tensor->name()) + ": " + std::to_string(bound);
  }
  return text + "}";
}

// graphsurgeon's set_size_upper_bounds(). The bound of the name "" applies to all unbounded tensors
// without a named bound. Warns of named tensors that need no bound; INFO: the bounds. Throws Error
// for an unknown name.
void set_upper_bounds(Model& model, const OrderedMap<int64_t>& wanted, Logger& log) {
  if (wanted.empty()) return;
  const TensorLookup tensors(*model.graph);
  const std::vector<const Tensor*> unbounded = graphsurgeon::unbounded_tensors(*model.graph);
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
    log.warning(log_modules::kSurgeonSanitize,
                "These tensors set no unbounded sizes: " + py_list_repr(bounded) +
                    ". Setting their bounds nevertheless.");
  }
  graphsurgeon::set_size_upper_bounds(*model.graph, bounds);
  log.info(log_modules::kSurgeonSanitize, "Set tensor upper bounds: " + bounds_text(bounds));
}

// All that is done to the model, as often as verification needs it.
class Sanitizer {
 public:
  Sanitizer(const SanitizeOptions& options, Logger& log)
      : options_(options),
        run_(options.run),
        evaluator_(options.run.plugins, log, options.cancel,
                   OnnxrtEvaluator::limits_with(options.fold ? options.fold->fold.memory_limit
                                                             : std::nullopt)) {
    run_.cancel = options.cancel;
  }

  // From a fresh load of the input.
  Transformed run(const RewriteLimits& limits, Logger& log) {
    const auto model = load_original(options_.files.model, log, [&](Model& loaded) {
      set_upper_bounds(loaded, options_.upper_bounds, log);
    });
    const Metadata& shapes = options_.input_shapes;
    if (!shapes.empty()) override_shapes(*model, shapes, log);
    if (options_.observe_shapes) {
      apply_shapes(*model, observe_shapes(run_, *model, observable_tensors(*model), log));
    }
    if (options_.cleanup) graphsurgeon::cleanup(*model);
    if (options_.toposort) graphsurgeon::toposort(*model);
    options_.cancel.check();
    if (!shapes.empty() && infers()) infer_model_shapes(*model, log);
    Transformed result;
    if (options_.fold) {
      result.rewrites = fold(*model, limits, log);
      if (infers()) infer_model_shapes(*model, log);
      // Levels of nodes depend on the nodes before them.
      if (options_.toposort && !result.rewrites.empty()) graphsurgeon::toposort(*model);
    }
    result.model = std::move(*model);
    return result;
  }

  // The input, with other bounds and precision where the options want them, since those change
  // results: verification judges the rest.
  Model input() const {
    ModelSource source = options_.files.model;
    source.outputs.clear();
    source.exclude_outputs.clear();
    source.outputs_by_type.clear();
    Logger silent;
    const auto model = load_onnx(source, silent);
    set_upper_bounds(*model, options_.upper_bounds, silent);
    return std::move(*model);
  }

 private:
  bool infers() const { return options_.files.model.shape_inference; }

  std::vector<Rewrite> fold(Model& model, const RewriteLimits& limits, Logger& log) {
    FoldModelOptions options = *options_.fold;
    options.fold.cancel = options_.cancel;
    options.fold.infer_shapes = options.fold.infer_shapes && infers();
    if (!options.fold.evaluator) options.fold.evaluator = &evaluator_;
    limit(options.fold, limits);
    return fold_model(model, options, log);
  }

  const SanitizeOptions& options_;
  ObservedRun run_;
  OnnxrtEvaluator evaluator_;
};

Verified verified(const SanitizeOptions& options, Sanitizer& sanitizer, Logger& log) {
  VerifyOptions verify_options;
  verify_options.transform = [&](const RewriteLimits& limits, Logger& logger) {
    return sanitizer.run(limits, logger);
  };
  verify_options.load_input = [&] { return sanitizer.input(); };
  verify_options.data = options.verify->generated;
  verify_options.data.announce_shapes = false;
  verify_options.inputs = options.verify->saved_inputs;
  verify_options.timeout = options.verify->timeout;
  // Beside a regular file, not beside "-", a pipe, or /dev/null.
  const std::filesystem::path output(options.files.output.path);
  std::error_code failed;
  const auto type = std::filesystem::status(output, failed).type();
  if (!output.empty() && output != "-" &&
      (type == std::filesystem::file_type::regular ||
       type == std::filesystem::file_type::not_found)) {
    verify_options.reproduction_folder = std::filesystem::path(output).replace_extension(".verify");
  }
  BundledRuntime runtime(options.run.plugins, log, options.cancel);
  return verify(runtime, verify_options, log);
}

}  // namespace

Sanitized sanitize(const SanitizeOptions& options, Logger& log) {
  Sanitizer sanitizer(options, log);
  Sanitized result;
  if (options.verify) {
    Verified checked = verified(options, sanitizer, log);
    result.model = std::move(checked.model);
    result.verdict = checked.verdict;
    result.rolled_back = std::move(checked.rolled_back);
  } else {
    result.model = sanitizer.run({}, log).model;
  }
  options.cancel.check();
  save_result(result.model, options.files, log);
  return result;
}

}  // namespace polygraphy
