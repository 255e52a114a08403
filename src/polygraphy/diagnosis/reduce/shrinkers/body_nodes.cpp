// Nodes go from bodies and functions that have to stay: candidates/keep_nodes.h.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/silent_log.h"
#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "graphsurgeon/passes/inline_functions.h"
#include "numerics/non_finite.h"
#include "polygraphy/diagnosis/reduce/loop_iterations.h"
#include "polygraphy/diagnosis/reduce/shrinker.h"
#include "polygraphy/diagnosis/search/ddmin.h"
#include "polygraphy/models/candidates/inline_calls.h"
#include "polygraphy/models/candidates/inner_outputs.h"
#include "polygraphy/models/candidates/keep_nodes.h"
#include "polygraphy/models/candidates/model_size.h"
#include "polygraphy/models/candidates/node_names.h"
#include "polygraphy/models/candidates/prune_unused.h"
#include "polygraphy/models/candidates/well_formed.h"

namespace polygraphy {
namespace {

using graphsurgeon::DimList;
using graphsurgeon::Graph;
using graphsurgeon::Model;

// Of If, Loop and Scan, and of functions; outer ones first, which take the inner ones along.
std::vector<Graph*> bodies(const Model& model) {
  std::vector<Graph*> result;
  const auto add = [&](Graph& root, size_t leave_out) {
    const std::vector<Graph*> graphs = graphsurgeon::inner_graphs_first(root);
    result.insert(result.end(), graphs.rbegin() + static_cast<std::ptrdiff_t>(leave_out),
                  graphs.rend());
  };
  add(*model.graph, 1);
  for (const auto& function : model.functions) add(*function, 0);
  return result;
}

// Where a function is called, if that is in one place outside of functions.
std::optional<Call> only_call(const Model& model, const graphsurgeon::Function& function) {
  std::optional<Call> found;
  size_t count = 0;
  for (const Graph* graph : graphsurgeon::all_graphs(model)) {
    for (const auto& node : graph->nodes())
      count += graphsurgeon::called_function(model, *node) == &function ? 1 : 0;
  }
  const std::vector<Graph*> graphs = graphsurgeon::inner_graphs_first(*model.graph);
  for (size_t g = 0; g < graphs.size(); ++g) {
    for (size_t n = 0; n < graphs[g]->nodes().size(); ++n) {
      if (graphsurgeon::called_function(model, *graphs[g]->nodes()[n]) == &function)
        found = Call{g, n};
    }
  }
  return count == 1 ? found : std::nullopt;
}

// Constants for the inputs that a function has got.
bool give(Model& model, const Graph& function, const std::vector<NewArgument>& arguments) {
  const auto call = only_call(model, dynamic_cast<const graphsurgeon::Function&>(function));
  if (!call) return false;
  Graph& graph = *graphsurgeon::inner_graphs_first(*model.graph)[call->graph];
  graphsurgeon::Node& node = *graph.nodes()[call->node];
  const size_t before = function.inputs().size() - arguments.size();
  while (node.inputs().size() < before)
    node.inputs().append(graphsurgeon::Tensor::empty(graph.store()));
  for (const NewArgument& argument : arguments) {
    const graphsurgeon::TensorRef constant = graph.constant(
        argument.name + "_of_" + std::string(node.outputs()[0]->name()), argument.value);
    graph.mutable_initializers().push_back(constant);
    node.inputs().append(constant);
  }
  return true;
}

class BodySearch {
 public:
  BodySearch(const Model& model, SearchTools& tools)
      : tools_(tools), well_formed_(model), left_(graphsurgeon::copy(model)) {
    graphsurgeon::infer_shapes(left_, {}, log_or_silence(nullptr));
  }

  std::unique_ptr<Model> run() {
    for (size_t i = 0; i < bodies(left_).size(); ++i) thin_out(i);
    return smaller_ ? std::make_unique<Model>(std::move(left_)) : nullptr;
  }

 private:
  // By name; nullopt: zeros.
  using Values = std::optional<ArrayMap>;

  std::optional<Model> with(size_t graph, const Part& part, const Values& values) const {
    Model candidate = graphsurgeon::copy(left_);
    KnownValues known;
    if (values) {
      known = [&](const graphsurgeon::Tensor& tensor) {
        return values->find(std::string(tensor.name()));
      };
    }
    std::vector<NewArgument> arguments;
    Graph& body = *bodies(candidate)[graph];
    if (!keep_nodes(body, part, known, &arguments)) return std::nullopt;
    if (!arguments.empty() && !give(candidate, body, arguments)) return std::nullopt;
    prune_unused(candidate);
    // A node that hands on may stand where another one stood.
    if (model_size(candidate).nodes >= model_size(left_).nodes) return std::nullopt;
    return candidate;
  }

  void thin_out(size_t graph) {
    thin_out(graph, std::nullopt);
    // The fault may need values that nodes of the body make: those that it has been recorded with.
    for (const bool last : {false, true}) {
      if (graph >= bodies(left_).size() || bodies(left_)[graph]->nodes().size() < 2) return;
      const Values values = recorded(graph, last);
      if (values) thin_out(graph, values);
    }
  }

  void thin_out(size_t graph, const Values& values) {
    const size_t count = bodies(left_)[graph]->nodes().size();
    const auto candidate = [&](const Part& part) -> Candidate {
      return {.about = "Keeping " + std::to_string(part.size()) + " of " + std::to_string(count) +
                       " nodes of a body" + (values ? ", with recorded values" : ""),
              .make = [this, graph, part, &values](CandidateTools&) -> std::optional<Model> {
                std::optional<Model> looked_at = with(graph, part, values);
                if (!looked_at || !well_formed_.accepts(*looked_at)) return std::nullopt;
                return with(graph, part, values);
              }};
    };
    const Part needed = minimal_subset(count, [&](const Part& part, const Upcoming<Part>& next) {
      return tools_.test.fails(candidate(part), made_of<Candidate, Part>(next, candidate));
    });
    if (needed.size() == count) return;
    left_ = *with(graph, needed, values);
    smaller_ = true;
  }

  // Results of a body's nodes on the sample, by name, if finite: those of the first failing
  // iteration of a Loop of the main graph, and inside it of the first iteration of other loops, or
  // with `last` of their last finite one. nullopt: unknown, or the same as without `last`.
  Values recorded(size_t graph, bool last) {
    Model shown = graphsurgeon::copy(left_);
    std::vector<std::string> own;
    for (const auto& node : bodies(shown)[graph]->nodes()) {
      for (const graphsurgeon::Tensor* output : node->outputs()) {
        if (!output->is_empty()) own.emplace_back(output->name());
      }
    }
    const std::optional<Place> place = place_of(shown, graph);
    if (!place) return std::nullopt;
    hand_out_inner_tensors(shown, LoopStates::kAssumed);
    const auto known = shown.graph->tensor_map(), here = place->graph->tensor_map();
    const auto outside = [&](const std::string& name) {
      return place->path + name + place->suffix;
    };
    std::vector<std::pair<std::string, DimList>> tensors;  // and their own dimensions
    std::vector<std::string> names;
    for (const std::string& name : own) {
      const auto found = here.find(name + place->suffix);
      if (found == here.end() || !found->second->declared_shape()) continue;
      if (!known.contains(outside(name))) continue;
      tensors.emplace_back(name, *found->second->declared_shape());
      names.push_back(outside(name));
    }
    ArrayMap stacks;
    try {
      stacks = tools_.intermediates.values_in(shown, names);
    } catch (const Interrupted&) {
      throw;
    } catch (const Error&) {
      return std::nullopt;
    }
    ArrayMap values;
    std::optional<int64_t> iteration;
    bool has_others = false;
    for (const auto& [name, dims] : tensors) {
      const Array* stack = stacks.find(outside(name));
      if (!stack || stack->size() == 0 || stack->shape().size() < dims.size()) continue;
      const size_t loops = stack->shape().size() - dims.size();
      int64_t index = 0;
      if (loops > 0) {
        if (!iteration) iteration = failing_iteration(node_around(*shown.graph, *place->graph));
        const int64_t outer = std::min(*iteration, stack->shape()[0] - 1);
        const int64_t inner = count_of(stack->shape(), 1, loops);
        has_others |= inner > 1;
        index = outer * inner;
        // The fault spoils the iterations after it.
        for (int64_t later = inner; last && later-- > 1;) {
          if (non_finite(one_of(*stack, loops, index + later))) continue;
          index += later;
          break;
        }
      }
      Array value = one_of(*stack, loops, index);
      if (!non_finite(value)) values.set(name, std::move(value));
    }
    return last && !has_others ? std::nullopt : Values(std::move(values));
  }

  static int64_t count_of(const Shape& shape, size_t from, size_t to) {
    int64_t count = 1;
    for (size_t i = from; i < to; ++i) count *= shape[i];
    return count;
  }

  // The first `loops` dimensions count iterations.
  static Array one_of(const Array& stack, size_t loops, int64_t index) {
    const Array whole = stack.contiguous_aligned();
    const Shape& shape = whole.shape();
    const int64_t bytes = whole.nbytes() / count_of(shape, 0, loops);
    return Array::view(whole.dtype(),
                       Shape(shape.begin() + static_cast<std::ptrdiff_t>(loops), shape.end()),
                       whole.data() + index * bytes, nullptr)
        .clone();
  }

  // Of a node of the main graph: 0 where it is not a Loop whose iterations are counted.
  int64_t failing_iteration(size_t position) {
    const auto& node = *left_.graph->nodes()[position];
    const int64_t most = iterations_of(left_, node, tools_.intermediates);
    if (most < 2) return 0;
    return least_failing_iterations(left_, position, most, tools_) - 1;
  }

  // The graph that runs the nodes of a body or function, and the names of their tensors in it.
  struct Place {
    const Graph* graph;
    std::string path, suffix;  // before and behind their own names
  };

  // Of a function that is called once, the call is replaced. nullopt: of others.
  static std::optional<Place> place_of(Model& shown, size_t graph) {
    const Graph* body = bodies(shown)[graph];
    const auto* function = dynamic_cast<const graphsurgeon::Function*>(body);
    std::string suffix;
    if (function) {
      const std::optional<Call> call = only_call(shown, *function);
      if (!call) return std::nullopt;
      body = graphsurgeon::inner_graphs_first(*shown.graph)[call->graph];
      const auto& outputs = body->nodes()[call->node]->outputs();
      if (outputs.empty()) return std::nullopt;
      suffix = "_of_" + std::string(outputs[0]->name());
      inline_calls(shown, {*call});
    }
    if (body == shown.graph.get()) return Place{body, "", suffix};
    auto path = path_of_body(shown, *body);
    return path ? std::optional(Place{body, *std::move(path), suffix}) : std::nullopt;
  }

  // The node of the main graph that has the body inside.
  static size_t node_around(const Graph& graph, const Graph& body) {
    for (size_t i = 0; i < graph.nodes().size(); ++i) {
      for (const auto& inside : graph.nodes()[i]->subgraphs_recursive()) {
        if (inside.get() == &body) return i;
      }
    }
    return 0;
  }

  SearchTools& tools_;
  WellFormed well_formed_;
  Model left_;
  bool smaller_ = false;
};

std::unique_ptr<Model> shrink_model(const Model& model, SearchTools& tools) {
  if (bodies(model).empty()) return nullptr;
  return BodySearch(model, tools).run();
}

}  // namespace

extern constinit const Shrinker shrinker_body_nodes = {
    .name = "body nodes",
    .phrase = "Removing nodes inside If, Loop, Scan and functions",
    .order = 35,
    .shrink = shrink_model};

}  // namespace polygraphy
