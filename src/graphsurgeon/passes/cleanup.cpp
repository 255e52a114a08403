#include "graphsurgeon/passes/cleanup.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/ir/tensor_names.h"
#include "graphsurgeon/onnx/schema.h"

namespace graphsurgeon {

namespace {

using TensorSet = std::unordered_set<const Tensor*>;

// May the operator be used without this output?
bool may_omit_output(const Node& node, size_t i, const Model* model) {
  int64_t version = -1;
  if (model) {
    for (const OpsetImport& import : model->opset_imports) {
      if (same_domain(import.domain, node.domain())) version = import.version;
    }
  }
  if (version < 0) version = latest_opset(node.domain()).value_or(-1);
  const auto schema = find_schema(node.op(), version, node.domain());
  if (!schema || i >= static_cast<size_t>(schema->max_outputs())) return true;
  const std::vector<OpParameter> formal = schema->outputs();
  return i < formal.size() && formal[i].arity == Arity::kOptional;
}

// One graph with clean nested graphs.
class GraphCleaner {
 public:
  GraphCleaner(Graph& graph, bool outermost, const CleanupOptions& options, const Model* model,
               const Captures& captures)
      : graph_(graph),
        outermost_(outermost),
        options_(options),
        model_(model),
        captures_(captures),
        index_(graph),
        names_(graph),
        used_(graph.nodes().size(), false) {}

  void clean() {
    for (const TensorRef& t : graph_.outputs()) outputs_.insert(t.get());
    for (const TensorRef& t : graph_.inputs()) {
      inputs_.insert(t.get());
      if (!t->producers().empty()) given_.insert(t.get());
    }
    mark_used_nodes();
    const bool all_stay = drop_edges_of_unused();
    unlink_given();
    if (options_.remove_unused_node_outputs) remove_unused_outputs();
    clean_lists();
    if (all_stay) return;
    std::vector<NodeRef>& nodes = graph_.mutable_nodes();
    size_t kept = 0;
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (used_[i]) std::swap(nodes[kept++], nodes[i]);  // the index stays right until erase()
    }
    nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(kept), nodes.end());
  }

 private:
  // Backwards from the outputs.
  void mark_used_nodes() {
    for (const TensorRef& t : graph_.outputs()) use(*t);
    while (!todo_.empty()) {
      const Node& node = *graph_.nodes()[todo_.back()];
      todo_.pop_back();
      for (Tensor* t : node.inputs()) use(*t);
      captures_.for_each(node, [&](Tensor& t) {
        captured_.insert(&t);
        use(t);
      });
    }
  }

  void use(Tensor& tensor) {
    if (tensor.is_constant() && !tensor.producers().empty()) given_.insert(&tensor);
    if (!given_.empty() && given_.contains(&tensor)) return;
    use_producers(tensor);
    if (Tensor* same = names_.find(tensor)) {
      used_by_name_.insert(same);
      use_producers(*same);
    }
  }

  void use_producers(const Tensor& tensor) {
    for (const Node* producer : tensor.producers()) {
      const auto at = index_.find(*producer);
      if (!at || used_[*at]) continue;
      used_[*at] = true;
      todo_.push_back(*at);
    }
  }

  bool drop_edges_of_unused() {
    bool all_stay = true;
    for (size_t i = 0; i < used_.size(); ++i) {
      if (used_[i]) continue;
      all_stay = false;
      Node& node = *graph_.nodes()[i];
      if (index_.find(node) != i) continue;  // listed twice
      node.inputs().clear();
      node.outputs().clear();
    }
    return all_stay;
  }

  void unlink_given() {
    if (given_.empty()) return;
    for (size_t n = 0; n < used_.size(); ++n) {
      if (!used_[n]) continue;
      Node& node = *graph_.nodes()[n];
      for (size_t i = node.outputs().size(); i-- > 0;) {
        if (given_.contains(node.outputs()[i])) omit_or_replace(node, i);
      }
    }
    for (const TensorRef& input : graph_.inputs()) input->producers().clear();  // elsewhere
  }

  // The slot is needed no more, but those behind it are.
  void omit_or_replace(Node& node, size_t i) {
    if (may_omit_output(node, i, model_)) return omit(node, i);
    if (taken_.empty()) taken_ = tensor_names(graph_);
    const std::string stem = std::string(node.outputs()[i]->name()) + "_unused_";
    int number = 0;
    while (!taken_.insert(stem + std::to_string(number)).second) ++number;
    node.outputs().set(i, Tensor::variable(node.store(), stem + std::to_string(number)));
  }

  static void omit(Node& node, size_t i) {
    if (i + 1 == node.outputs().size()) {
      node.outputs().erase(i);
    } else {
      node.outputs().set(i, Tensor::empty(node.store()));
    }
  }

  void remove_unused_outputs() {
    std::unordered_set<std::string_view> output_names;
    for (const TensorRef& t : graph_.outputs()) output_names.insert(t->name());
    for (size_t n = 0; n < used_.size(); ++n) {
      if (!used_[n]) continue;
      Node& node = *graph_.nodes()[n];
      for (size_t i = node.outputs().size(); i-- > 0;) {
        const Tensor& t = *node.outputs()[i];
        if (t.is_empty() || is_used(t) || output_names.contains(t.name())) continue;
        if (may_omit_output(node, i, model_)) omit(node, i);
      }
    }
  }

  // By a kept node, a graph nested in one, or as an output.
  bool is_used(const Tensor& tensor) const {
    for (const Node* consumer : tensor.consumers()) {
      if (index_.find(*consumer)) return true;  // the others have lost their edges
    }
    return outputs_.contains(&tensor) || captured_.contains(&tensor) ||
           used_by_name_.contains(&tensor);
  }

  bool is_produced(const Tensor& tensor) const {
    for (const Node* producer : tensor.producers()) {
      if (index_.find(*producer)) return true;
    }
    return false;
  }

  void clean_lists() {
    // An unused initializer that is an input as well is not an input that callers feed; where
    // inputs are positional it stays with its value.
    const auto goes_as_input = [&](const TensorRef& t) {
      return outermost_ && (options_.remove_unused_graph_inputs || t->is_constant()) &&
             !is_used(*t);
    };
    const bool some_inputs_go =
        std::any_of(graph_.inputs().begin(), graph_.inputs().end(), goes_as_input);
    if (some_inputs_go) {
      for (const TensorRef& t : graph_.inputs()) {
        if (goes_as_input(t)) inputs_.erase(t.get());
      }
      std::erase_if(graph_.mutable_inputs(), goes_as_input);
    }
    const auto unused_initializer = [&](const TensorRef& t) {
      return !is_used(*t) && !inputs_.contains(t.get());
    };
    const auto unused_value_info = [&](const TensorRef& t) {
      return !is_used(*t) && !is_produced(*t) && !inputs_.contains(t.get());
    };
    const auto any = [](const std::vector<TensorRef>& list, const auto& goes) {
      return std::any_of(list.begin(), list.end(), goes);
    };
    if (any(graph_.initializers(), unused_initializer)) {
      std::erase_if(graph_.mutable_initializers(), unused_initializer);
    }
    if (any(graph_.value_infos(), unused_value_info)) {
      std::erase_if(graph_.mutable_value_infos(), unused_value_info);
    }
  }

  Graph& graph_;
  const bool outermost_;
  const CleanupOptions& options_;
  const Model* model_;
  const Captures& captures_;
  NodeIndex index_;
  LocalNames names_;
  std::vector<bool> used_;    // by position of the node
  std::vector<size_t> todo_;  // used nodes with inputs not looked at yet
  TensorSet inputs_, outputs_;
  TensorSet given_;     // produced, although they are inputs or constants
  TensorSet captured_;  // by subgraphs of used nodes
  TensorSet used_by_name_;
  TensorNames taken_;  // read once one has to be made up
};

void clean_with_subgraphs(Graph& root, bool outermost, const CleanupOptions& options,
                          const Model* model) {
  Captures captures;
  for (Graph* graph : inner_graphs_first(root)) {
    if (graph == &root || options.recurse_subgraphs) {
      GraphCleaner(*graph, graph == &root && outermost, options, model, captures).clean();
    }
    if (graph != &root) captures.add(*graph);
  }
}

}  // namespace

void cleanup(Model& model, const CleanupOptions& options) {
  if (options.recurse_functions) {
    for (const FunctionRef& function : model.functions) {
      for (const Attribute& attribute : function->default_attributes) {
        for (const GraphRef& graph : attribute.graphs()) {
          clean_with_subgraphs(*graph, false, options, &model);
        }
      }
      clean_with_subgraphs(*function, false, options, &model);
    }
  }
  if (model.graph) clean_with_subgraphs(*model.graph, true, options, &model);
}

void cleanup(Graph& graph, const CleanupOptions& options) {
  clean_with_subgraphs(graph, true, options, nullptr);
}

}  // namespace graphsurgeon
