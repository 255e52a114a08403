#include "polygraphy/models/loaders/mark_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/glob.h"
#include "base/log_modules.h"
#include "base/near_names.h"
#include "base/text.h"
#include "polygraphy/models/loaders/close_matches.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;
using graphsurgeon::TypeKind;

// As the original prints a set, cut short where it would fill screens.
std::string set_text(const std::vector<std::string>& names, size_t most = 200) {
  std::string text = "{";
  for (size_t i = 0; i < names.size() && i < most; ++i) {
    if (i) text += ", ";
    text += py_str_repr(names[i]);
  }
  return text + and_more(names.size(), most, ", ... ") + "}";
}

// The tensors that can be outputs: those that nodes make, then the model's inputs, then its
// outputs, among which constants may be.
class Candidates {
 public:
  explicit Candidates(const Graph& graph) {
    for (const NodeRef& node : graph.nodes()) {
      if (node->op() == "Constant") continue;
      for (Tensor* output : node->outputs()) add(output);
    }
    made_by_nodes_ = names_.size();
    for (const TensorRef& input : graph.inputs()) add(input.get());
    for (const TensorRef& output : graph.outputs()) add(output.get());
  }

  Tensor* find(std::string_view name) const {
    const auto found = tensors_.find(name);
    return found == tensors_.end() ? nullptr : found->second;
  }
  // Patterns are matched against results of nodes.
  size_t made_by_nodes() const { return made_by_nodes_; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  void add(Tensor* tensor) {
    if (tensor->is_empty() || !tensors_.emplace(tensor->name(), tensor).second) return;
    names_.emplace_back(tensor->name());
  }

  std::unordered_map<std::string_view, Tensor*> tensors_;
  std::vector<std::string> names_;
  size_t made_by_nodes_ = 0;
};

// Each name once, patterns replaced by their matches.
std::vector<std::string> expand(const std::vector<std::string>& names, const Candidates& candidates,
                                Logger& log) {
  std::vector<std::string> result;
  std::unordered_set<std::string> seen;
  const auto add = [&](const std::string& name) {
    if (seen.insert(name).second) result.push_back(name);
  };
  for (const std::string& name : names) {
    if (!Glob::is_pattern(name) || candidates.find(name)) {
      add(name);
      continue;
    }
    const Glob pattern(name);
    bool matched = false;
    for (size_t i = 0; i < candidates.made_by_nodes(); ++i) {
      if (!pattern.matches(candidates.names()[i])) continue;
      matched = true;
      add(candidates.names()[i]);
    }
    if (!matched)
      log.warning(log_modules::kOnnxUtil,
                  fmt::format("No tensors matched wildcard pattern: '{}'", name));
  }
  return result;
}

// Of the tensors that an error names, the first ones: more hide the error.
constexpr size_t kNamed = 10;

void check_known(const std::vector<std::string>& names, const Candidates& candidates) {
  std::vector<std::string> missing;
  for (const std::string& name : names) {
    if (!candidates.find(name)) missing.push_back(name);
  }
  if (missing.empty()) return;
  const std::vector<std::string_view> all(candidates.names().begin(), candidates.names().end());
  throw Error(fmt::format("The following outputs were not found in the model: {}.\n"
                          "Note: outputs requested were: {}, but all outputs are: {}",
                          set_text(missing), set_text(names), set_text(candidates.names(), kNamed)),
              did_you_mean(missing.front(), all));
}

bool has_type(const Tensor& tensor) {
  return tensor.type_kind() != TypeKind::kTensor || tensor.dtype() != DataType::kUndefined;
}

// Tensors that become outputs leave the list of value infos; former outputs enter it, so that the
// model keeps their declarations.
void replace_outputs(Graph& graph, std::vector<TensorRef> outputs) {
  std::unordered_set<const Tensor*> now, elsewhere;
  for (const TensorRef& output : outputs) now.insert(output.get());
  for (const TensorRef& input : graph.inputs()) elsewhere.insert(input.get());
  for (const TensorRef& initializer : graph.initializers()) elsewhere.insert(initializer.get());
  std::vector<TensorRef>& value_infos = graph.mutable_value_infos();
  std::erase_if(value_infos, [&](const TensorRef& tensor) { return now.contains(tensor.get()); });
  for (const TensorRef& old : graph.outputs()) {
    if (!now.contains(old.get()) && !elsewhere.contains(old.get()) && has_type(*old))
      value_infos.push_back(old);
  }
  graph.mutable_outputs() = std::move(outputs);
}

void mark(Graph& graph, const std::vector<std::string>& requested, const Candidates& candidates,
          Logger& log) {
  const std::vector<std::string> names = expand(requested, candidates, log);
  if (names.empty()) throw Error("No outputs were selected. Please check your wildcard patterns.");
  check_known(names, candidates);
  std::vector<TensorRef> outputs;
  for (const std::string& name : names) outputs.emplace_back(candidates.find(name));
  if (log.enabled(Severity::kUltraVerbose, log_modules::kOnnxUtil)) {
    log.log(Severity::kUltraVerbose, log_modules::kOnnxUtil,
            fmt::format("Marked output tensors in ONNX model: {}", set_text(names)));
  }
  replace_outputs(graph, std::move(outputs));
}

// Empty when no node has any of the types.
std::vector<std::string> outputs_of_types(const Graph& graph, const std::vector<std::string>& types,
                                          Logger& log) {
  std::vector<std::string> known;
  for (const NodeRef& node : graph.nodes()) known.emplace_back(node->op());
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());

  std::vector<std::string> outputs;
  for (const std::string& type : types) {
    const std::string wanted = to_lower(type);
    const bool exists = std::any_of(known.begin(), known.end(),
                                    [&](const std::string& op) { return to_lower(op) == wanted; });
    if (!exists) {
      const std::vector<std::string> similar = close_matches(type, known);
      log.error(log_modules::kOnnxUtil,
                fmt::format("No ONNX nodes of op type '{}' were found in the model. {}", type,
                            similar.empty()
                                ? fmt::format("Available op types: {}", py_list_repr(known))
                                : fmt::format("Did you mean one of: {}?", py_list_repr(similar))));
      continue;
    }
    for (const NodeRef& node : graph.nodes()) {
      if (to_lower(node->op()) != wanted) continue;
      for (const Tensor* output : node->outputs()) {
        if (!output->is_empty()) outputs.emplace_back(output->name());
      }
    }
  }
  return outputs;
}

void unmark(Graph& graph, const std::vector<std::string>& requested, const Candidates& candidates,
            Logger& log) {
  const std::vector<std::string> names = expand(requested, candidates, log);
  check_known(names, candidates);
  const std::unordered_set<std::string> excluded(names.begin(), names.end());
  std::vector<TensorRef> outputs;
  for (const TensorRef& output : graph.outputs()) {
    if (!excluded.contains(std::string(output->name()))) outputs.push_back(output);
  }
  if (outputs.empty()) {
    throw Error("All outputs of the model are excluded.",
                "Exclude fewer outputs, or select others.");
  }
  if (outputs.size() != graph.outputs().size()) replace_outputs(graph, std::move(outputs));
}

// Tensors of the model, whichever way they are called.
std::vector<std::string> tensors_called(const Graph& graph, const std::vector<std::string>& names,
                                        const Candidates& candidates) {
  std::unordered_multimap<std::string_view, const graphsurgeon::Node*> nodes;
  for (const NodeRef& node : graph.nodes()) nodes.emplace(node->name(), node.get());
  std::vector<std::string> tensors;
  for (const std::string& name : names) {
    const auto [first, last] = nodes.equal_range(name);
    if (candidates.find(name) || first == last) {
      tensors.push_back(name);
      continue;
    }
    for (auto node = first; node != last; ++node) {
      for (const Tensor* output : node->second->outputs()) {
        if (!output->is_empty()) tensors.emplace_back(output->name());
      }
    }
  }
  return tensors;
}

// In the order of the graph, as for all outputs.
void mark_also(Graph& graph, const std::vector<std::string>& requested,
               const Candidates& candidates, Logger& log) {
  const std::vector<std::string> names =
      expand(tensors_called(graph, requested, candidates), candidates, log);
  check_known(names, candidates);
  std::unordered_set<std::string_view> wanted(names.begin(), names.end());
  std::vector<TensorRef> outputs;
  for (const TensorRef& output : graph.outputs()) wanted.erase(output->name());
  for (const std::string& name : candidates.names()) {
    if (wanted.contains(name)) outputs.emplace_back(candidates.find(name));
  }
  outputs.insert(outputs.end(), graph.outputs().begin(), graph.outputs().end());
  replace_outputs(graph, std::move(outputs));
}

}  // namespace

bool selects_all(const std::vector<std::string>& names) {
  return (names.size() == 1 && names[0] == "*") ||
         (names.size() == 2 && names[0] == "mark" && names[1] == "all");
}

std::vector<std::string> output_candidates(const Graph& graph) {
  const Candidates candidates(graph);
  std::vector<std::string> names = candidates.names();
  names.resize(candidates.made_by_nodes());
  return names;
}

void select_outputs(Model& model, const OutputSelection& selection, Logger& log) {
  if (selection.empty()) return;
  Graph& graph = *model.graph;
  const Candidates candidates(graph);
  if (selects_all(selection.names)) {
    log.verbose(log_modules::kOnnxLoader, "Marking all ONNX tensors as outputs");
    mark(graph, output_candidates(graph), candidates, log);
  } else if (!selection.names.empty()) {
    mark(graph, selection.names, candidates, log);
  }
  if (!selection.types.empty()) {
    const std::vector<std::string> names = outputs_of_types(graph, selection.types, log);
    if (!names.empty()) mark(graph, names, candidates, log);
  }
  if (!selection.exclude.empty()) unmark(graph, selection.exclude, candidates, log);
  if (!selection.also.empty()) mark_also(graph, selection.also, candidates, log);
}

}  // namespace polygraphy
