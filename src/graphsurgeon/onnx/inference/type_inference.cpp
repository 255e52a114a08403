#include "graphsurgeon/onnx/inference/type_inference.h"

#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <new>
#include <utility>

#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/onnx/inference/hazards.h"
#include "graphsurgeon/onnx/inference/inferred_values.h"
#include "graphsurgeon/onnx/inference/shape_agreement.h"
#include "graphsurgeon/onnx/inference/sharper_shapes.h"
#include "graphsurgeon/onnx/message_text.h"
#include "graphsurgeon/onnx/stripped_model.h"

namespace graphsurgeon {

namespace {

namespace inference = onnx::shape_inference;
using google::protobuf::Arena;
using onnx::TypeProto;

// Functions that call functions twice each can make a short file endless work. A thousand layers of
// 200 nodes are within. Folding infers such a model four times, at half a second for 10^6 nodes.
constexpr size_t kMaxFunctionNodes = 200'000;
constexpr size_t kMaxFunctionDepth = 100;
// No file has more; a graph that holds itself has.
constexpr size_t kMaxGraphDepth = 1000;

// Loop-carried values come behind trips and condition in the inputs of a Loop and of its body, and
// behind the condition in the body's outputs.
constexpr size_t kFirstState = 2;
constexpr size_t kFirstStateGiven = 1;
// Each takes a look at everything inside.
constexpr size_t kMaxAssumedLoops = 3;
constexpr int kMaxRounds = 4;

// Inference functions take it for granted that inputs which are not optional are there.
void check_inputs(const onnx::OpSchema& schema, const NodeContext& context) {
  const auto& inputs = schema.inputs();
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].GetOption() == onnx::OpSchema::Single && !context.hasInput(i)) {
      fail_type_inference("input ", i, " ('", inputs[i].GetName(), "') is missing");
    }
  }
  if (context.getNumInputs() < static_cast<size_t>(schema.min_input())) {
    fail_type_inference(context.getNumInputs(), " inputs, but ", schema.min_input(), " are needed");
  }
}

}  // namespace

// Visits the nodes of a subgraph when the operator's function requests it.
class TypeInference::SubgraphInferencer final : public onnx::GraphInferencer {
 public:
  SubgraphInferencer(TypeInference& all, Body& body, Graph& graph)
      : all_(all), body_(body), graph_(graph) {}

  std::vector<const TypeProto*> doInferencing(
      const std::vector<const TypeProto*>& input_types,
      const std::vector<const onnx::TensorProto*>&) override {
    // Old graphs list initializers among their inputs, behind the actual ones.
    if (input_types.size() > graph_.inputs().size()) {
      fail_shape_inference("Graph has ", graph_.inputs().size(), " inputs but ", input_types.size(),
                           " were provided");
    }
    if (all_.graph_depth_ == kMaxGraphDepth) {
      fail_shape_inference("graphs are nested more than ", kMaxGraphDepth, " deep");
    }
    const size_t changed_before = all_.changed_;
    for (size_t i = 0; i < input_types.size(); ++i) {
      if (input_types[i] == nullptr) continue;
      auto* type = Arena::CreateMessage<TypeProto>(&body_.arena());
      *type = *input_types[i];
      all_.changed_ += body_.learn(*graph_.inputs()[i], *type, all_.symbols_);
    }
    // Graphs that share graphs would be endless work; a second look finds nothing new.
    if (body_.visited.insert(&graph_).second || all_.changed_ > changed_before) {
      ++all_.graph_depth_;
      for (const NodeRef& node : graph_.nodes()) all_.visit(*node, body_);
      --all_.graph_depth_;
    }
    std::vector<const TypeProto*> result;
    for (const TensorRef& output : graph_.outputs()) {
      const TypeProto* type = body_.type(*output);
      result.push_back(type != nullptr ? type : &TypeProto::default_instance());
    }
    return result;
  }

 private:
  TypeInference& all_;
  Body& body_;
  Graph& graph_;
};

TypeInference::TypeInference(const Model& model, Opsets opsets, const TypeInferenceOptions& options)
    : model_(model),
      options_(options),
      ops_(std::move(opsets)),
      symbols_(model),
      body_(options.write ? Body::Types::kInTensors : Body::Types::kBeside, ops_,
            options.write ? scratch_ : lasting_),
      function_body_(Body::Types::kBeside, ops_, lasting_) {
  for (const FunctionRef& function : model.functions) {
    functions_.emplace(function_id(function->domain(), function->name(), function->overload()),
                       function);
  }
}

void TypeInference::infer(const Node& node, const Function* function) {
  scratch_.Reset();
  is_in_function_ = function != nullptr;
  Body& body = is_in_function_ ? function_body_ : body_;
  if (is_in_function_) body.look_at_function(ops_of(*function));
  if (!body.visited.empty()) body.visited = {};
  visit(node, body);
}

void TypeInference::visit(const Node& node, Body& body) {
  try {
    try {
      attempt(node, body);
    } catch (const std::bad_alloc&) {
      // Of a machine that lacked memory for a moment, nothing may be missing in the result.
      attempt(node, body);
    }
  } catch (const std::bad_alloc&) {  // a node that asks for too much
    add_problem(node, "out of memory during inference");
  } catch (const std::exception& error) {
    add_problem(node, error.what());
  }
}

void TypeInference::attempt(const Node& node, Body& body) {
  if (body.waits_for_caller(node)) return;
  const NodeContext::Inferencers inferencers = [&](Graph& graph) {
    return std::make_unique<SubgraphInferencer>(*this, body, graph);
  };
  NodeContext context(node, body, inferencers);
  try {
    infer(context);
  } catch (const onnx::InferenceError& error) {
    // Nodes behind an unknown node fail for that reason alone.
    const bool is_excused =
        body.has_unknown_op && (node.has_subgraphs() || !context.are_inputs_typed());
    if (!is_excused) add_problem(node, error.what());
  }
}

void TypeInference::infer(NodeContext& context) {
  const Node& node = context.node();
  const OpEntry& op = context.body().op(node);
  if (op.schema != nullptr) {
    if (op.infer) {
      check_inputs(*op.schema, context);
      const std::string hazard = inference_hazard(node, context);
      if (!hazard.empty()) fail_shape_inference(hazard);
      if (is_disputed(node, context)) {
        onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
        return learn_outputs(context);
      }
      const bool is_standard = is_default_domain(node.domain());
      if (is_standard && node.op() == "Loop") {
        infer_loop(context, op.infer);
      } else {
        op.infer(context);
      }
      if (op.sharpen != nullptr) sharpen_shapes(op.sharpen, context, sizes_);
    } else if (op.body != nullptr) {
      call(*op.body, context);
    }
    if (options_.check_types) op.schema->CheckInputOutputType(context);
  } else {
    const auto function = functions_.find(function_id(node.domain(), node.op(), node.overload()));
    if (function != functions_.end()) {
      call(*function->second, context);
    } else if (op.infer) {
      op.infer(context);
    } else {
      context.body().has_unknown_op = true;
      return;
    }
  }
  learn_outputs(context);
  if (options_.follow_values && op.follow_values != nullptr && context.hasOutput(0)) {
    learn_values(op.follow_values, context);
  }
}

// Loop-carried values: the standard's function gives them no shape, because it may change. Here the
// initial shape is assumed; if the body then keeps it, it is the same for all trips.
void TypeInference::infer_loop(NodeContext& context, const onnx::InferenceFunction& by_standard) {
  Body& body = context.body();
  const Attribute* attribute = body.attribute(context.node(), "body");
  const auto* held = attribute != nullptr ? std::get_if<GraphRef>(&attribute->value) : nullptr;
  const Graph* graph = held != nullptr ? held->get() : nullptr;
  std::vector<TypeProto> states;
  bool any = false;
  for (size_t i = kFirstState; i < context.getNumInputs(); ++i) {
    const TypeProto* type = context.getInputType(i);
    states.push_back(type != nullptr ? *type : TypeProto());
    any = any || has_shape(states.back());
  }
  const bool fits = graph != nullptr && graph->inputs().size() >= kFirstState + states.size() &&
                    graph->outputs().size() >= kFirstStateGiven + states.size() &&
                    context.getNumOutputs() >= states.size();
  if (!any || !fits || assumed_loops_ == kMaxAssumedLoops) return by_standard(context);

  for (size_t i = 0; i < states.size(); ++i) {
    const TypeProto* declared = body.type(*graph->inputs()[kFirstState + i]);
    if (declared != nullptr) take_sizes(*declared, states[i]);
  }
  if (!find_kept_states(*graph, body, states)) return by_standard(context);

  assume_states(*graph, states, body.arena(), body);
  by_standard(context);
  for (size_t i = 0; i < states.size(); ++i) {
    if (context.hasOutput(i) && has_shape(states[i])) {
      onnx::shape_inference::mergeShapesAndTypes(states[i], context.getOutputType(i));
    }
  }
}

// Weakens the states until the loop's body keeps them; leaves no other trace. False: it keeps none.
bool TypeInference::find_kept_states(const Graph& graph, Body& body,
                                     std::vector<TypeProto>& states) {
  const size_t problems = problems_.size();
  const unsigned symbols = symbols_.mark();
  bool found = false;
  ++assumed_loops_;
  try {
    for (int round = 0; round < kMaxRounds && !found && problems_.size() == problems; ++round) {
      found = keeps_states(graph, body, states);
    }
  } catch (const onnx::InferenceError&) {
    found = false;  // the declaration differs
  }
  --assumed_loops_;
  found = found && problems_.size() == problems;
  problems_.resize(problems);
  symbols_.rewind(symbols);
  sizes_.forget_sizes();  // of names that are given again
  return found;
}

// Whether the loop's body returns states of the given types; weakens `states` where it does not.
bool TypeInference::keeps_states(const Graph& graph, Body& body, std::vector<TypeProto>& states) {
  Body trial(Body::Assumptions{body});
  assume_states(graph, states, body.arena(), trial);
  for (const NodeRef& node : graph.nodes()) visit(*node, trial);
  bool less = false;
  for (size_t i = 0; i < states.size(); ++i) {
    less = weaken(states[i], trial.type(*graph.outputs()[kFirstStateGiven + i])) || less;
  }
  return !less;
}

// The inputs of a loop's body: the number of the trip, the condition, and the states.
void TypeInference::assume_states(const Graph& graph, const std::vector<TypeProto>& states,
                                  Arena& arena, Body& to) {
  const auto learn = [&](size_t i, TypeProto type) {
    auto* message = Arena::CreateMessage<TypeProto>(&arena);
    *message = std::move(type);
    changed_ += to.learn(*graph.inputs()[i], *message, symbols_);
  };
  TypeProto trip, condition;
  trip.mutable_tensor_type()->set_elem_type(onnx::TensorProto::INT64);
  learn(0, trip);
  condition.mutable_tensor_type()->set_elem_type(onnx::TensorProto::BOOL);
  learn(1, condition);
  for (size_t i = 0; i < states.size(); ++i) {
    if (states[i].has_tensor_type()) learn(kFirstState + i, states[i]);
  }
}

void TypeInference::learn_outputs(NodeContext& context) {
  Body& body = context.body();
  const TensorList& outputs = context.node().outputs();
  // All or nothing.
  if (outputs.size() > 1) {
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (context.hasOutput(i) && context.found(i) != nullptr) {
        body.check(*outputs[i], *context.found(i));
      }
    }
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!context.hasOutput(i) || context.found(i) == nullptr) continue;
    changed_ += body.learn(*outputs[i], *context.found(i), symbols_);
  }
}

void TypeInference::learn_values(ValueFunction follow, NodeContext& context) {
  InferredValues node(context);
  auto values = propagated_values(follow, node, sizes_);
  if (!values) return;
  context.body().set_elements(*context.node().outputs()[0], std::move(values->elements));
}

OpTable& TypeInference::ops_of(const Function& function) {
  auto& ops = ops_of_functions_[&function];
  if (!ops) ops = std::make_unique<OpTable>(opsets_of(function.opset_imports));
  return *ops;
}

// Infers the types of the body from the caller's, and hands on the outputs' types.
void TypeInference::call(const Function& function, NodeContext& caller) {
  if (std::find(calls_.begin(), calls_.end(), &function) != calls_.end()) {
    fail_shape_inference("function '", function.name(), "' calls itself");
  }
  if (calls_.size() == kMaxFunctionDepth) {
    fail_shape_inference("functions are nested too deeply");
  }
  calls_.push_back(&function);
  try {
    run(function, caller);
  } catch (...) {
    calls_.pop_back();
    throw;
  }
  calls_.pop_back();
}

void TypeInference::run(const Function& function, NodeContext& caller) {
  Body::Arguments arguments;
  for (const std::string_view name : function.required_attributes) {
    const Attribute* given = caller.body().attribute(caller.node(), name);
    if (given != nullptr) arguments[name] = given;
  }
  for (const Attribute& otherwise : function.default_attributes) {
    const Attribute* given = caller.body().attribute(caller.node(), otherwise.name);
    arguments[otherwise.name] = given != nullptr ? given : &otherwise;
  }

  Arena arena;  // of this call: what a hundred thousand calls infer would fill the memory
  Body body(Body::Types::kOfCall, ops_of(function), arena, &arguments);
  for (size_t i = 0; i < function.inputs().size(); ++i) {
    const Tensor& parameter = *function.inputs()[i];
    if (caller.hasInput(i)) {
      body.bind(parameter, caller.body(), *caller.node().inputs()[i]);
    } else {
      body.bind_absent(parameter);
    }
  }
  for (const NodeRef& node : function.nodes()) {
    if (++function_nodes_ > kMaxFunctionNodes) {
      fail_shape_inference("the model's functions call each other more than ", kMaxFunctionNodes,
                           " nodes in total");
    }
    visit(*node, body);
  }
  for (size_t i = 0; i < function.outputs().size() && i < caller.getNumOutputs(); ++i) {
    const Tensor& output = *function.outputs()[i];
    if (const TypeProto* type = body.type(output)) *caller.getOutputType(i) = *type;
    DimList scratch;
    const DimList* elements = options_.follow_values ? body.elements(output, scratch) : nullptr;
    if (elements != nullptr && caller.hasOutput(i)) {
      caller.body().set_elements(*caller.node().outputs()[i], *elements);
    }
  }
  if (body.has_unknown_op) caller.body().has_unknown_op = true;
}

// "m.onnx: node 'conv1' (Conv): …"; "m.onnx: node with output 'y' (Conv) in function 'F': …".
void TypeInference::add_problem(const Node& node, std::string_view reason) {
  std::string text = display_name(model_) + ": node ";
  if (!node.name().empty() || node.outputs().empty()) {
    text += '\'' + std::string(node.name()) + '\'';
  } else {
    text += "with output '" + std::string(node.outputs().front()->name()) + '\'';
  }
  text += " (" + std::string(node.op()) + ')';
  if (!calls_.empty()) text += " in function '" + std::string(calls_.back()->name()) + '\'';
  problems_.push_back(text + ": " + on_one_line(reason));
}

}  // namespace graphsurgeon
