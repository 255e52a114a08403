#include "graphsurgeon/onnx/type_inference.h"

#include <onnx/defs/schema.h>
#include <onnx/defs/tensor_proto_util.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/attribute_binder.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <memory>
#include <new>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "graphsurgeon/onnx/inference_hazards.h"

namespace graphsurgeon {

namespace {

namespace inference = onnx::shape_inference;
using onnx::TensorShapeProto;
using onnx::TypeProto;

// Values are followed for tensors of shapes, axes and the like; longer ones are data.
constexpr int kMaxFollowedValues = 1024;

// Functions that call functions twice each can make a short file endless work.
constexpr size_t kMaxFunctionNodes = 1'000'000;
constexpr size_t kMaxFunctionDepth = 100;

// What is known of one tensor.
struct Fact {
  TypeProto* type = nullptr;  // in the graph's message; may be there without being set
  const onnx::TensorProto* values = nullptr;
  const onnx::SparseTensorProto* sparse_values = nullptr;
  std::unique_ptr<TensorShapeProto> followed;  // partly known values
  bool is_absent = false;                      // a function's parameter that the caller leaves out

  const TypeProto* known_type() const {
    return type != nullptr && type->value_case() != TypeProto::VALUE_NOT_SET ? type : nullptr;
  }
};

using Functions = std::unordered_map<std::string, const onnx::FunctionProto*>;

// Shared by the graph, its subgraphs and the functions that they call.
struct Sweep {
  const TypeInferenceOptions& options;
  Functions functions;
  inference::SymbolTableImpl symbols;
  std::vector<std::string> problems;
  std::deque<onnx::TensorProto> made_values;      // of Constant nodes without a tensor
  std::deque<TypeProto> made_types;               // of initializers, and in functions
  std::vector<const onnx::FunctionProto*> calls;  // being entered
  size_t function_nodes = 0;
};

std::string function_id(std::string_view domain, std::string_view name, std::string_view overload) {
  std::string id = std::string(domain) + ':' + std::string(name);
  if (!overload.empty()) id += ':' + std::string(overload);
  return id;
}

std::string_view normalized(std::string_view domain) {
  return domain == "ai.onnx" ? std::string_view() : domain;
}

// The names of one graph, and of those around it.
class Scope {
 public:
  explicit Scope(Scope* outer) : outer_(outer) {}

  // A fact of this graph itself, made when new.
  Fact& own(std::string_view name) { return facts_[name]; }
  Fact* find(std::string_view name) {
    for (Scope* scope = this; scope != nullptr; scope = scope->outer_) {
      const auto found = scope->facts_.find(name);
      if (found != scope->facts_.end()) return &found->second;
    }
    return nullptr;
  }

 private:
  Scope* outer_;
  std::unordered_map<std::string_view, Fact> facts_;  // names live in the graph's message
};

// Runs the sweep over a subgraph when the operator's function asks for it.
class SubgraphInferencer final : public onnx::GraphInferencer {
 public:
  SubgraphInferencer(Sweep& sweep, Scope& outer, onnx::GraphProto& graph, const Opsets& opsets)
      : sweep_(sweep), outer_(outer), graph_(graph), opsets_(opsets) {}
  std::vector<const TypeProto*> doInferencing(
      const std::vector<const TypeProto*>& input_types,
      const std::vector<const onnx::TensorProto*>& input_data) override;

 private:
  Sweep& sweep_;
  Scope& outer_;
  onnx::GraphProto& graph_;
  const Opsets& opsets_;
};

const onnx::AttributeProto* find_attribute(const onnx::NodeProto& node, const std::string& name) {
  for (const auto& attribute : node.attribute()) {
    if (attribute.name() == name) return &attribute;
  }
  return nullptr;
}

// What an operator's inference function sees of a node.
class NodeContext final : public onnx::InferenceContext {
 public:
  NodeContext(Sweep& sweep, Scope& scope, onnx::NodeProto& node, const Opsets& opsets)
      : sweep_(sweep),
        scope_(scope),
        node_(node),
        opsets_(opsets),
        outputs_(static_cast<size_t>(node.output_size())) {
    for (const std::string& input : node.input()) {
      inputs_.push_back(input.empty() ? nullptr : scope.find(input));
    }
  }

  const onnx::AttributeProto* getAttribute(const std::string& name) const override {
    return find_attribute(node_, name);
  }
  size_t getNumInputs() const override { return inputs_.size(); }
  // Null for omitted inputs only: some inference functions do not look before they use it.
  const TypeProto* getInputType(size_t i) const override {
    const Fact* known = fact(i);
    if (!hasInput(i)) return nullptr;
    return known != nullptr && known->type != nullptr ? known->type
                                                      : &TypeProto::default_instance();
  }
  bool hasInput(size_t i) const override {
    return i < inputs_.size() && !node_.input(static_cast<int>(i)).empty() &&
           (inputs_[i] == nullptr || !inputs_[i]->is_absent);
  }
  const onnx::TensorProto* getInputData(size_t i) const override {
    return fact(i) != nullptr ? fact(i)->values : nullptr;
  }
  const onnx::SparseTensorProto* getInputSparseData(size_t i) const override {
    return fact(i) != nullptr ? fact(i)->sparse_values : nullptr;
  }
  const TensorShapeProto* getSymbolicInput(size_t i) const override {
    return fact(i) != nullptr ? fact(i)->followed.get() : nullptr;
  }
  size_t getNumOutputs() const override { return outputs_.size(); }
  TypeProto* getOutputType(size_t i) override {
    if (i >= outputs_.size()) fail_type_inference("Output ", i, " is out of bounds.");
    return &outputs_[i];
  }
  bool hasOutput(size_t i) override {
    return i < outputs_.size() && !node_.output(static_cast<int>(i)).empty();
  }
  onnx::GraphInferencer* getGraphAttributeInferencer(const std::string& name) override {
    for (auto& attribute : *node_.mutable_attribute()) {
      if (attribute.name() != name || !attribute.has_g()) continue;
      inferencers_.push_back(
          std::make_unique<SubgraphInferencer>(sweep_, scope_, *attribute.mutable_g(), opsets_));
      return inferencers_.back().get();
    }
    fail_type_inference("Attribute ", name, " does not contain a graph.");
  }
  std::string getDisplayName() const override {
    std::string name = "node " + node_.op_type();
    if (!node_.domain().empty()) name += '[' + node_.domain() + ']';
    if (!node_.name().empty()) name += " (" + node_.name() + ')';
    return name;
  }

  // What is known of an input; null when nothing is.
  Fact* fact(size_t i) const {
    if (i >= inputs_.size()) fail_type_inference("Input ", i, " is out of bounds.");
    return inputs_[i];
  }

 private:
  Sweep& sweep_;
  Scope& scope_;
  onnx::NodeProto& node_;
  const Opsets& opsets_;
  std::vector<Fact*> inputs_;
  std::vector<TypeProto> outputs_;
  std::vector<std::unique_ptr<SubgraphInferencer>> inferencers_;
};

// What an operator's function that computes with known values sees of a node.
class ValuesContext final : public onnx::DataPropagationContext {
 public:
  ValuesContext(Scope& scope, const onnx::NodeProto& node, NodeContext& types)
      : scope_(scope), node_(node), types_(types) {}

  const onnx::AttributeProto* getAttribute(const std::string& name) const override {
    return find_attribute(node_, name);
  }
  size_t getNumInputs() const override { return types_.getNumInputs(); }
  const TypeProto* getInputType(size_t i) const override { return types_.getInputType(i); }
  size_t getNumOutputs() const override { return types_.getNumOutputs(); }
  const TypeProto* getOutputType(size_t i) const override { return types_.getOutputType(i); }

  const TensorShapeProto* getInputData(size_t i) override {
    if (i >= getNumInputs() || !types_.hasInput(i)) return nullptr;
    Fact* fact = scope_.find(node_.input(static_cast<int>(i)));
    if (fact == nullptr) return nullptr;
    if (!fact->followed) fact->followed = first_values(*fact);
    return fact->followed.get();
  }
  void addOutputData(size_t i, TensorShapeProto&& values) override {
    if (!types_.hasOutput(i) || values.dim_size() > kMaxFollowedValues) return;
    Fact& fact = scope_.own(node_.output(static_cast<int>(i)));
    fact.followed = std::make_unique<TensorShapeProto>(std::move(values));
  }

 private:
  template <typename T>
  static void add_dims(const std::vector<T>& values, TensorShapeProto& out) {
    for (const T value : values) out.add_dim()->set_dim_value(value);
  }

  // From an initializer or Constant, or else as many unknown values as the type says.
  static std::unique_ptr<TensorShapeProto> first_values(const Fact& fact) {
    auto result = std::make_unique<TensorShapeProto>();
    if (fact.values != nullptr && fact.values->dims_size() <= 1 &&
        (fact.values->dims_size() == 0 || fact.values->dims(0) <= kMaxFollowedValues) &&
        fact.values->data_location() != onnx::TensorProto::EXTERNAL) {
      if (fact.values->data_type() == onnx::TensorProto::INT64) {
        add_dims(onnx::ParseData<int64_t>(fact.values), *result);
        return result;
      }
      if (fact.values->data_type() == onnx::TensorProto::INT32) {
        add_dims(onnx::ParseData<int32_t>(fact.values), *result);
        return result;
      }
      return nullptr;
    }
    const TypeProto* type = fact.known_type();
    if (type == nullptr || !type->has_tensor_type()) return nullptr;
    const auto elem = type->tensor_type().elem_type();
    if (elem != onnx::TensorProto::INT64 && elem != onnx::TensorProto::INT32) return nullptr;
    const TensorShapeProto& shape = type->tensor_type().shape();
    if (shape.dim_size() != 1 || !shape.dim(0).has_dim_value()) return nullptr;
    const int64_t count = shape.dim(0).dim_value();
    if (count < 0 || count > kMaxFollowedValues) return nullptr;
    for (int64_t i = 0; i < count; ++i) result->add_dim();
    return result;
  }

  Scope& scope_;
  const onnx::NodeProto& node_;
  NodeContext& types_;
};

// Walks over the nodes of a graph or of a function's body.
class BodySweep {
 public:
  // `graph` takes the types that are found; a function's body has none.
  BodySweep(Sweep& sweep, Scope* outer, onnx::GraphProto* graph, const Opsets& opsets)
      : sweep_(sweep), scope_(outer), graph_(graph), opsets_(opsets) {}

  Scope& scope() { return scope_; }

  void visit(onnx::NodeProto& node) {
    const auto fail = [&](const char* reason) {
      sweep_.problems.push_back("node '" + node.name() + "' (" + node.op_type() + "): " + reason);
    };
    try {
      infer(node);
    } catch (const onnx::InferenceError& error) {
      // What comes behind a node that is not known fails for that reason alone.
      if (!has_unknown_op_) fail(error.what());
    } catch (const std::bad_alloc&) {
      fail("inference needs more memory than there is");
    } catch (const std::exception& error) {
      fail(error.what());
    }
  }

 private:
  void infer(onnx::NodeProto& node) {
    NodeContext context(sweep_, scope_, node, opsets_);
    const onnx::OpSchema* schema = schema_of(node);
    if (schema != nullptr) {
      if (schema->has_type_and_shape_inference_function()) {
        check_inputs(*schema, context);
        const std::string hazard = inference_hazard(node, context);
        if (!hazard.empty()) fail_shape_inference(hazard);
        schema->GetTypeAndShapeInferenceFunction()(context);
      } else if (schema->HasFunction()) {
        call(*schema->GetFunction(), schema, context);
      }
      if (sweep_.options.check_types) schema->CheckInputOutputType(context);
    } else {
      const auto function =
          sweep_.functions.find(function_id(node.domain(), node.op_type(), node.overload()));
      if (function == sweep_.functions.end()) {
        has_unknown_op_ = true;
        return;
      }
      call(*function->second, nullptr, context);
    }
    for (int i = 0; i < node.output_size(); ++i) {
      if (!node.output(i).empty()) {
        update(node.output(i), *context.getOutputType(static_cast<size_t>(i)));
      }
    }
    remember_constant(node);
    if (sweep_.options.follow_values && schema != nullptr &&
        schema->has_data_propagation_function()) {
      ValuesContext values(scope_, node, context);
      schema->GetDataPropagationFunction()(values);
    }
  }

  // Inference functions take it for granted that inputs which are not optional are there.
  static void check_inputs(const onnx::OpSchema& schema, const NodeContext& context) {
    const auto& inputs = schema.inputs();
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].GetOption() == onnx::OpSchema::Single && !context.hasInput(i)) {
        fail_type_inference("input ", i, " ('", inputs[i].GetName(), "') is missing");
      }
    }
    if (context.getNumInputs() < static_cast<size_t>(schema.min_input())) {
      fail_type_inference(context.getNumInputs(), " inputs where ", schema.min_input(),
                          " are needed");
    }
  }

  const onnx::OpSchema* schema_of(const onnx::NodeProto& node) const {
    const std::string domain(normalized(node.domain()));
    const auto version = opsets_.find(domain);
    if (version == opsets_.end()) return nullptr;
    return onnx::OpSchemaRegistry::Schema(node.op_type(), static_cast<int>(version->second),
                                          domain);
  }

  // Infers the types of the body with what the caller gives, and hands on those of the outputs.
  // `schema`: of the operator that the function defines; null for the model's own functions.
  void call(const onnx::FunctionProto& function, const onnx::OpSchema* schema,
            NodeContext& caller) {
    auto& calls = sweep_.calls;
    if (std::find(calls.begin(), calls.end(), &function) != calls.end()) {
      fail_shape_inference("function '", function.name(), "' calls itself");
    }
    if (calls.size() == kMaxFunctionDepth)
      fail_shape_inference("functions call each other too deep");
    calls.push_back(&function);
    try {
      enter(function, schema, caller);
    } catch (...) {
      calls.pop_back();
      throw;
    }
    calls.pop_back();
  }

  void enter(const onnx::FunctionProto& function, const onnx::OpSchema* schema,
             NodeContext& caller) {
    const std::vector<OpsetImport> imports = imports_of(function);
    const Opsets opsets = opsets_of(imports);
    BodySweep body(sweep_, nullptr, nullptr, opsets);
    for (int i = 0; i < function.input_size(); ++i) {
      Fact& parameter = body.scope_.own(function.input(i));
      const auto k = static_cast<size_t>(i);
      if (k >= caller.getNumInputs() || !caller.hasInput(k)) {
        parameter.is_absent = true;
      } else if (const Fact* argument = caller.fact(k)) {
        const TypeProto* type = argument->known_type();
        if (type != nullptr) parameter.type = &sweep_.made_types.emplace_back(*type);
        parameter.values = argument->values;
        parameter.sparse_values = argument->sparse_values;
        if (argument->followed) {
          parameter.followed = std::make_unique<TensorShapeProto>(*argument->followed);
        }
      }
    }

    onnx::internal::AttributeMap attributes;
    if (schema != nullptr) {
      for (const auto& [name, attribute] : schema->attributes()) {
        if (attribute.default_value.has_type()) attributes[name] = &attribute.default_value;
      }
    }
    for (const std::string& name : function.attribute()) {
      if (const auto* given = caller.getAttribute(name)) attributes[name] = given;
    }
    for (const auto& otherwise : function.attribute_proto()) {
      const auto* given = caller.getAttribute(otherwise.name());
      attributes[otherwise.name()] = given != nullptr ? given : &otherwise;
    }
    onnx::internal::AttributeBinder binder(attributes);

    std::deque<onnx::NodeProto> nodes;  // facts refer to their names and values
    for (const auto& original : function.node()) {
      if (++sweep_.function_nodes > kMaxFunctionNodes) {
        fail_shape_inference("the model's functions call each other more than ", kMaxFunctionNodes,
                             " nodes in all");
      }
      auto& node = nodes.emplace_back(original);
      binder.VisitNode(node);
      body.visit(node);
    }
    for (int i = 0; i < function.output_size(); ++i) {
      const Fact* fact = body.scope_.find(function.output(i));
      if (fact != nullptr && fact->known_type() != nullptr &&
          static_cast<size_t>(i) < caller.getNumOutputs()) {
        *caller.getOutputType(static_cast<size_t>(i)) = *fact->known_type();
      }
    }
    if (body.has_unknown_op_) has_unknown_op_ = true;
  }

  static std::vector<OpsetImport> imports_of(const onnx::FunctionProto& function) {
    std::vector<OpsetImport> imports;
    for (const auto& import : function.opset_import()) {
      imports.push_back({import.domain(), import.version(), {}});
    }
    return imports;
  }

  void update(const std::string& name, TypeProto& found) {
    if (found.value_case() == TypeProto::VALUE_NOT_SET) return;
    inference::MaterializeSymbolicShape(&found, sweep_.symbols);
    Fact& fact = scope_.own(name);
    if (fact.type == nullptr) fact.type = place_for(name);
    if (fact.known_type() == nullptr) {
      *fact.type = found;
    } else {
      inference::mergeShapesAndTypes(found, fact.type);
    }
  }

  TypeProto* place_for(const std::string& name) {
    if (graph_ == nullptr) return &sweep_.made_types.emplace_back();
    auto* info = graph_->add_value_info();
    info->set_name(name);
    return info->mutable_type();
  }

  void remember_constant(const onnx::NodeProto& node) {
    if (node.op_type() != "Constant" || !normalized(node.domain()).empty() ||
        node.output_size() != 1) {
      return;
    }
    Fact& fact = scope_.own(node.output(0));
    for (const auto& attribute : node.attribute()) {
      if (attribute.name() == "value" && attribute.has_t()) {
        fact.values = &attribute.t();
      } else if (attribute.name() == "sparse_value" && attribute.has_sparse_tensor()) {
        fact.sparse_values = &attribute.sparse_tensor();
      } else if (attribute.name() == "value_int") {
        fact.values = &sweep_.made_values.emplace_back(onnx::ToTensor<int64_t>(attribute.i()));
      } else if (attribute.name() == "value_ints") {
        fact.values = &list(std::vector<int64_t>(attribute.ints().begin(), attribute.ints().end()));
      } else if (attribute.name() == "value_float") {
        fact.values = &sweep_.made_values.emplace_back(onnx::ToTensor<float>(attribute.f()));
      } else if (attribute.name() == "value_floats") {
        fact.values =
            &list(std::vector<float>(attribute.floats().begin(), attribute.floats().end()));
      }
    }
  }

  template <typename T>
  const onnx::TensorProto& list(const std::vector<T>& values) {
    auto& tensor = sweep_.made_values.emplace_back(onnx::ToTensor(values));
    tensor.add_dims(static_cast<int64_t>(values.size()));
    return tensor;
  }

  Sweep& sweep_;
  Scope scope_;
  onnx::GraphProto* graph_;
  const Opsets& opsets_;
  bool has_unknown_op_ = false;
};

template <typename Dims, typename Type>
void set_type(Type& type, int32_t elem_type, const Dims& dims) {
  type.set_elem_type(elem_type);
  auto* shape = type.mutable_shape();
  for (const int64_t dim : dims) shape->add_dim()->set_dim_value(dim);
}

// Negative dimensions in files mean that they are not known; inference functions would count with
// them.
void forget_negative_dims(TypeProto& type) {
  if (!type.has_tensor_type() || !type.tensor_type().has_shape()) return;
  for (auto& dim : *type.mutable_tensor_type()->mutable_shape()->mutable_dim()) {
    if (dim.has_dim_value() && dim.dim_value() < 0) dim.clear_dim_value();
  }
}

void declare(Scope& scope, google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>& infos) {
  for (auto& info : infos) {
    Fact& fact = scope.own(info.name());
    // What says nothing does not hide what another list says.
    if (fact.known_type() != nullptr && !info.has_type()) continue;
    fact.type = info.mutable_type();
    forget_negative_dims(*fact.type);
  }
}

void declare_initializers(Sweep& sweep, Scope& scope, const onnx::GraphProto& graph) {
  // The type of an input of the same name counts more.
  const auto type_to_set = [&](Fact& fact) -> TypeProto* {
    if (fact.known_type() != nullptr) return nullptr;
    if (fact.type == nullptr) fact.type = &sweep.made_types.emplace_back();
    return fact.type;
  };
  for (const auto& tensor : graph.initializer()) {
    Fact& fact = scope.own(tensor.name());
    fact.values = &tensor;
    if (TypeProto* type = type_to_set(fact)) {
      set_type(*type->mutable_tensor_type(), tensor.data_type(), tensor.dims());
    }
  }
  for (const auto& tensor : graph.sparse_initializer()) {
    Fact& fact = scope.own(tensor.values().name());
    fact.sparse_values = &tensor;
    if (TypeProto* type = type_to_set(fact)) {
      set_type(*type->mutable_sparse_tensor_type(), tensor.values().data_type(), tensor.dims());
    }
  }
}

void sweep_graph(Sweep& sweep, Scope* outer, onnx::GraphProto& graph, const Opsets& opsets) {
  BodySweep body(sweep, outer, &graph, opsets);
  declare(body.scope(), *graph.mutable_value_info());
  declare(body.scope(), *graph.mutable_input());
  declare(body.scope(), *graph.mutable_output());
  declare_initializers(sweep, body.scope(), graph);
  for (auto& node : *graph.mutable_node()) body.visit(node);
  // A subgraph may return a tensor of a graph around it.
  if (outer == nullptr) return;
  for (auto& output : *graph.mutable_output()) {
    const Fact* fact = outer->find(output.name());
    if (output.type().value_case() == TypeProto::VALUE_NOT_SET && fact != nullptr &&
        fact->known_type() != nullptr) {
      *output.mutable_type() = *fact->known_type();
    }
  }
}

std::vector<const TypeProto*> SubgraphInferencer::doInferencing(
    const std::vector<const TypeProto*>& input_types,
    const std::vector<const onnx::TensorProto*>&) {
  // Old graphs list initializers among their inputs, behind the actual ones.
  const auto count = static_cast<int>(input_types.size());
  if (count > graph_.input_size()) {
    fail_shape_inference("Graph has ", graph_.input_size(), " inputs but ", count,
                         " were provided");
  }
  for (int i = 0; i < count; ++i) {
    if (input_types[static_cast<size_t>(i)] == nullptr) continue;
    TypeProto* type = graph_.mutable_input(i)->mutable_type();
    inference::mergeShapesAndTypes(*input_types[static_cast<size_t>(i)], type);
    inference::MaterializeSymbolicShape(type, sweep_.symbols);
  }
  sweep_graph(sweep_, &outer_, graph_, opsets_);
  std::vector<const TypeProto*> result;
  for (const auto& output : graph_.output()) result.push_back(&output.type());
  return result;
}

}  // namespace

Opsets opsets_of(const std::vector<OpsetImport>& imports) {
  Opsets opsets;
  for (const OpsetImport& import : imports) {
    opsets[std::string(normalized(import.domain))] =
        std::clamp<int64_t>(import.version, 0, std::numeric_limits<int>::max());
  }
  return opsets;
}

std::vector<std::string> infer_types(onnx::ModelProto& model, const Opsets& opsets,
                                     const TypeInferenceOptions& options) {
  Sweep sweep{options, {}, {}, {}, {}, {}, {}};
  for (const auto& function : model.functions()) {
    sweep.functions.insert(
        {function_id(function.domain(), function.name(), function.overload()), &function});
  }
  inference::TraverseGraphsToAddExistingSymbols(model.graph(), sweep.symbols);
  sweep_graph(sweep, nullptr, *model.mutable_graph(), opsets);
  return std::move(sweep.problems);
}

}  // namespace graphsurgeon
