#include "polygraphy/model_tools/surgeon/observe_shapes.h"

#include <fmt/format.h>

#include <string>
#include <unordered_set>
#include <utility>

#include "base/log_modules.h"
#include "graphsurgeon/passes/constant_nodes.h"
#include "polygraphy/data/inputs/adapt_feed.h"
#include "polygraphy/data/inputs/data_loader_errors.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/model_tools/surgeon/fallback_shapes.h"
#include "polygraphy/model_tools/surgeon/verification/model_subset.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"
#include "polygraphy/runtimes/backend/instance.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

[[noreturn]] void fail_run(const Model& model, const Error& error) {
  const std::string message =
      fmt::format("cannot determine shapes by running {}: {}",
                  model.path.empty() ? "the model" : model.path, error.what());
  if (error.hint().empty()) throw Error(kNotObserved, message);
  if (const auto* of_input = dynamic_cast<const InputError*>(&error))
    throw InputError(error.code(), of_input->input(), message, error.hint());
  throw Error(error.code(), message, error.hint());
}

// Outputs of nodes of the main graph.
std::unordered_set<const Tensor*> produced_tensors(const graphsurgeon::Graph& graph) {
  std::unordered_set<const Tensor*> produced;
  for (const NodeRef& node : graph.nodes()) {
    for (const Tensor* output : node->outputs()) produced.insert(output);
  }
  return produced;
}

// Null for all but constants. They need no run, and ONNX Runtime does not output sparse values of
// Constant nodes.
graphsurgeon::PayloadPtr constant_of(const Tensor& tensor) {
  if (tensor.is_constant()) return tensor.payload();
  const Node* producer = tensor.producer();
  return producer ? graphsurgeon::constant_values(*producer) : nullptr;
}

// One step quieter, as in the original's run: INFO messages appear with -v.
class Quieter {
 public:
  explicit Quieter(Logger& log) : log_(log), before_(log.severity("")) {
    log.set_severity(static_cast<Severity>(static_cast<int>(before_) + 10));
  }
  ~Quieter() { log_.set_severity(before_); }
  Quieter(const Quieter&) = delete;
  Quieter& operator=(const Quieter&) = delete;

 private:
  Logger& log_;
  Severity before_;
};

std::unique_ptr<BackendSession> load(BundledRuntime& runtime, const Model& model,
                                     std::vector<TensorRef> outputs, Logger& log) {
  const Quieter quieter(log);
  log.start(log_modules::kOnnxrtLoader,
            "Creating ONNX-Runtime Inference Session with providers: ['CPUExecutionProvider']");
  return runtime.load(with_outputs(model, std::move(outputs)));
}

ValueMap next_feed(BackendSession& session, FeedSource& feeds, Logger& log) {
  const Metadata inputs = metadata_of(session.inputs());
  ValueMap feed;
  {
    const Quieter quieter(log);
    std::optional<ValueMap> next = feeds.next(inputs);
    if (!next) throw Error("no input data to run the model on");
    feed = adapt_feed(*next, inputs, log);
  }
  log.info(log_modules::kOnnxLoaderOptions,
           "Running fallback shape inference using input metadata:\n" +
               to_text(metadata_of(flatten(feed))));
  return feed;
}

}  // namespace

Metadata observe_shapes(BundledRuntime& runtime, const Model& model,
                        const std::vector<TensorRef>& tensors, FeedSource& feeds, Logger& log) {
  const std::unordered_set<const Tensor*> produced = produced_tensors(*model.graph);
  std::vector<TensorRef> marked;
  std::unordered_set<std::string_view> names;
  bool needs_run = false;
  for (const TensorRef& tensor : tensors) {
    if (tensor->is_empty() || constant_of(*tensor)) continue;
    needs_run = true;
    if (produced.contains(tensor.get()) && names.insert(tensor->name()).second) {
      marked.push_back(tensor);
    }
  }

  ArrayMap found;
  if (needs_run) {
    // ONNX Runtime loads no model without outputs.
    if (marked.empty()) marked = model.graph->outputs();
    try {
      const std::unique_ptr<BackendSession> session = load(runtime, model, marked, log);
      const ValueMap feed = next_feed(*session, feeds, log);
      found = tensors_of(run_model(*session, feed));
      for (const auto& [name, values] : tensors_of(feed)) found.set(name, values);
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      fail_run(model, error);
    }
  }

  Metadata result;
  for (const TensorRef& tensor : tensors) {
    const std::string name(tensor->name());
    if (const Array* values = found.find(name)) {
      result.set(name, info_of(*values));
    } else if (const graphsurgeon::PayloadPtr constant = constant_of(*tensor)) {
      const auto& shape = constant->shape();
      result.set(name, {constant->dtype(), DimList(shape.begin(), shape.end()), {}});
    } else if (!tensor->is_empty()) {
      log.verbose(log_modules::kOnnxLoaderOptions,
                  fmt::format("Tensor: {} | No shape was observed: it is not a tensor, is empty, "
                              "or has no producer",
                              name));
    }
  }
  return result;
}

}  // namespace polygraphy
