#include "graphsurgeon/ir/registry.h"

#include <map>
#include <mutex>

#include "base/error.h"
#include "base/log_modules.h"
#include "graphsurgeon/ir/imports.h"
#include "graphsurgeon/ir/make.h"

namespace graphsurgeon {

namespace registry_detail {

void wrong_count(const std::string& name, size_t given, size_t least, size_t most) {
  throw polygraphy::Error("'" + name + "' takes " + std::to_string(least) +
                          (most > least ? " to " + std::to_string(most) : "") +
                          " arguments, but was called with " + std::to_string(given));
}

}  // namespace registry_detail

struct OpRegistry::Impl {
  struct Entry {
    RegisteredOp for_all;
    std::map<int64_t, RegisteredOp> by_opset;
  };
  mutable std::mutex mutex;
  std::map<std::string, Entry, std::less<>> entries;
};

OpRegistry::OpRegistry() : impl_(std::make_unique<Impl>()) {}
OpRegistry::~OpRegistry() = default;

OpRegistry& OpRegistry::of_process() {
  static OpRegistry registry;
  return registry;
}

void OpRegistry::add(std::string_view name, RegisteredOp op, const RegisterOptions& options) {
  const std::lock_guard lock(impl_->mutex);
  Impl::Entry& entry = impl_->entries[std::string(name)];
  for (const int64_t opset : options.opsets) entry.by_opset[opset] = op;
  if (options.opsets.empty()) entry.for_all = std::move(op);
}

RegisteredOp OpRegistry::find(std::string_view name, int64_t opset) const {
  const std::lock_guard lock(impl_->mutex);
  const auto entry = impl_->entries.find(name);
  if (entry == impl_->entries.end()) return nullptr;
  const auto exact = entry->second.by_opset.find(opset);
  return exact == entry->second.by_opset.end() ? entry->second.for_all : exact->second;
}

std::vector<int64_t> OpRegistry::opsets_of(std::string_view name) const {
  const std::lock_guard lock(impl_->mutex);
  std::vector<int64_t> opsets;
  if (const auto entry = impl_->entries.find(name); entry != impl_->entries.end()) {
    for (const auto& [opset, op] : entry->second.by_opset) opsets.push_back(opset);
  }
  return opsets;
}

bool OpRegistry::for_all_opsets(std::string_view name) const {
  const std::lock_guard lock(impl_->mutex);
  const auto entry = impl_->entries.find(name);
  return entry != impl_->entries.end() && entry->second.for_all;
}

namespace {

std::string list_of(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + text;
  return list;
}

int64_t opset_of(const Model& model, const Graph& graph) {
  if (const auto* function = dynamic_cast<const Function*>(&graph)) {
    if (const auto version = imported_version(function->opset_imports, {})) return *version;
  }
  return model.opset().value_or(kDefaultOpset);
}

}  // namespace

std::vector<TensorRef> call_op(const OpRegistry& registry, Model& model, Graph& graph,
                               std::string_view name, std::span<const Arg> args,
                               polygraphy::Logger* logger) {
  const int64_t opset = opset_of(model, graph);
  const std::string text(name);
  const std::vector<int64_t> opsets = registry.opsets_of(name);
  const Function* function = nullptr;
  std::vector<std::string> candidates;
  for (const int64_t known : opsets) {
    if (known != opset) continue;
    candidates.push_back("GraphSurgeon-registered function \"" + text + "\" with opset " +
                         std::to_string(opset));
  }
  if (registry.for_all_opsets(name)) {
    candidates.push_back("GraphSurgeon-registered function \"" + text + "\"");
  }
  for (const FunctionRef& local : model.functions) {
    if (local->name() != name) continue;
    if (!function) function = local.get();
    candidates.push_back("Local Function \"" + text + "\" with domain \"" +
                         std::string(local->domain()) + "\"");
  }
  if (candidates.size() > 1 && logger) {
    logger->warning(polygraphy::log_modules::kGraph,
                    "Method name " + text + " is overloaded with the following candidates: " +
                        list_of(candidates) + ". Choosing candidate " + candidates[0],
                    polygraphy::Once::kYes);
  }
  if (const RegisteredOp op = registry.find(name, opset)) return op(graph, args);
  if (function) {
    Layer layer;
    layer.inputs.assign(args.begin(), args.end());
    return call_function(graph, *function, std::move(layer), logger).snapshot();
  }
  std::vector<std::string> others;
  for (const int64_t known : opsets) others.push_back(std::to_string(known));
  throw polygraphy::Error(
      "'" + text + "' is neither registered for opset " + std::to_string(opset) +
          " nor a function of the model",
      others.empty() ? std::string() : "Registered opsets: " + list_of(others) + ".");
}

}  // namespace graphsurgeon
