#include "graphsurgeon/onnx/type_inference.h"

#include <onnx/defs/schema.h>
#include <onnx/defs/tensor_proto_util.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include <deque>
#include <memory>
#include <new>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace graphsurgeon {

namespace {

namespace inference = onnx::shape_inference;
using onnx::TensorShapeProto;
using onnx::TypeProto;

// Values are followed for tensors of shapes, axes and the like; longer ones are data.
constexpr int kMaxFollowedValues = 1024;

// What is known of one tensor.
struct Fact {
  TypeProto* type = nullptr;  // in the graph's message; may be there without being set
  const onnx::TensorProto* values = nullptr;
  const onnx::SparseTensorProto* sparse_values = nullptr;
  std::unique_ptr<TensorShapeProto> followed;  // partly known values

  const TypeProto* known_type() const {
    return type != nullptr && type->value_case() != TypeProto::VALUE_NOT_SET ? type : nullptr;
  }
};

// Shared by the graph and its subgraphs.
struct Sweep {
  const Opsets& opsets;
  bool data_propagation;
  inference::ModelLocalFunctionsMap functions;
  inference::SymbolTableImpl symbols;
  std::vector<std::string> problems;
  std::deque<onnx::TensorProto> made_values;  // of Constant nodes without a tensor
  std::deque<TypeProto> made_types;           // of initializers
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

class GraphSweep;

// Runs the sweep over a subgraph when the operator's function asks for it.
class SubgraphInferencer final : public onnx::GraphInferencer {
 public:
  SubgraphInferencer(Sweep& sweep, Scope& outer, onnx::GraphProto& graph)
      : sweep_(sweep), outer_(outer), graph_(graph) {}
  std::vector<const TypeProto*> doInferencing(
      const std::vector<const TypeProto*>& input_types,
      const std::vector<const onnx::TensorProto*>& input_data) override;

 private:
  Sweep& sweep_;
  Scope& outer_;
  onnx::GraphProto& graph_;
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
  NodeContext(Sweep& sweep, Scope& scope, onnx::NodeProto& node)
      : sweep_(sweep),
        scope_(scope),
        node_(node),
        outputs_(static_cast<size_t>(node.output_size())) {
    for (const std::string& input : node.input()) {
      inputs_.push_back(input.empty() ? nullptr : scope.find(input));
    }
  }

  const onnx::AttributeProto* getAttribute(const std::string& name) const override {
    return find_attribute(node_, name);
  }
  size_t getNumInputs() const override { return inputs_.size(); }
  const TypeProto* getInputType(size_t i) const override {
    return fact(i) != nullptr ? fact(i)->known_type() : nullptr;
  }
  bool hasInput(size_t i) const override {
    return i < inputs_.size() && !node_.input(static_cast<int>(i)).empty();
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
  TypeProto* getOutputType(size_t i) override { return &outputs_.at(i); }
  bool hasOutput(size_t i) override {
    return i < outputs_.size() && !node_.output(static_cast<int>(i)).empty();
  }
  onnx::GraphInferencer* getGraphAttributeInferencer(const std::string& name) override {
    for (auto& attribute : *node_.mutable_attribute()) {
      if (attribute.name() != name || !attribute.has_g()) continue;
      inferencers_.push_back(
          std::make_unique<SubgraphInferencer>(sweep_, scope_, *attribute.mutable_g()));
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

 private:
  Fact* fact(size_t i) const {
    if (i >= inputs_.size()) fail_type_inference("Input ", i, " is out of bounds.");
    return inputs_[i];
  }

  Sweep& sweep_;
  Scope& scope_;
  onnx::NodeProto& node_;
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

class GraphSweep {
 public:
  GraphSweep(Sweep& sweep, Scope* outer, onnx::GraphProto& graph)
      : sweep_(sweep), outer_(outer), scope_(outer), graph_(graph) {}

  void run() {
    declare(*graph_.mutable_value_info());
    declare(*graph_.mutable_input());
    declare(*graph_.mutable_output());
    for (const auto& tensor : graph_.initializer()) {
      Fact& fact = scope_.own(tensor.name());
      fact.values = &tensor;
      if (fact.known_type() != nullptr) continue;
      TypeProto& type = fact.type != nullptr ? *fact.type : sweep_.made_types.emplace_back();
      set_type(*type.mutable_tensor_type(), tensor.data_type(), tensor.dims());
      fact.type = &type;
    }
    for (const auto& tensor : graph_.sparse_initializer()) {
      Fact& fact = scope_.own(tensor.values().name());
      fact.sparse_values = &tensor;
      if (fact.known_type() != nullptr) continue;
      TypeProto& type = fact.type != nullptr ? *fact.type : sweep_.made_types.emplace_back();
      set_type(*type.mutable_sparse_tensor_type(), tensor.values().data_type(), tensor.dims());
      fact.type = &type;
    }
    for (auto& node : *graph_.mutable_node()) visit(node);
    // A subgraph may return a tensor of a graph around it.
    if (outer_ == nullptr) return;
    for (auto& output : *graph_.mutable_output()) {
      const Fact* fact = outer_->find(output.name());
      if (output.type().value_case() == TypeProto::VALUE_NOT_SET && fact != nullptr &&
          fact->known_type() != nullptr) {
        *output.mutable_type() = *fact->known_type();
      }
    }
  }

 private:
  template <typename Dims, typename Type>
  static void set_type(Type& type, int32_t elem_type, const Dims& dims) {
    type.set_elem_type(elem_type);
    auto* shape = type.mutable_shape();
    for (const int64_t dim : dims) shape->add_dim()->set_dim_value(dim);
  }

  void declare(google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>& infos) {
    for (auto& info : infos) {
      Fact& fact = scope_.own(info.name());
      // What says nothing does not hide what another list says.
      if (fact.known_type() != nullptr && !info.has_type()) continue;
      fact.type = info.mutable_type();
    }
  }

  void visit(onnx::NodeProto& node) {
    try {
      infer(node);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      sweep_.problems.push_back("node '" + node.name() + "' (" + node.op_type() +
                                "): " + error.what());
    }
  }

  void infer(onnx::NodeProto& node) {
    NodeContext context(sweep_, scope_, node);
    const onnx::OpSchema* schema = schema_of(node);
    if (schema != nullptr && schema->has_type_and_shape_inference_function()) {
      schema->GetTypeAndShapeInferenceFunction()(context);
    } else if (schema != nullptr && schema->HasFunction()) {
      call(*schema->GetFunction(), node, context);
    } else if (schema == nullptr) {
      const auto function =
          sweep_.functions.find(function_id(node.domain(), node.op_type(), node.overload()));
      if (function == sweep_.functions.end()) return;  // not known: its outputs stay as they are
      call(*function->second, node, context);
    }
    for (int i = 0; i < node.output_size(); ++i) {
      if (!node.output(i).empty())
        update(node.output(i), *context.getOutputType(static_cast<size_t>(i)));
    }
    remember_constant(node);
    if (sweep_.data_propagation && schema != nullptr && schema->has_data_propagation_function()) {
      ValuesContext values(scope_, node, context);
      schema->GetDataPropagationFunction()(values);
    }
  }

  const onnx::OpSchema* schema_of(const onnx::NodeProto& node) const {
    const std::string domain(normalized(node.domain()));
    const auto version = sweep_.opsets.find(domain);
    if (version == sweep_.opsets.end()) return nullptr;
    return onnx::OpSchemaRegistry::Schema(node.op_type(), static_cast<int>(version->second),
                                          domain);
  }

  // Values are not followed into functions, where nothing would limit them.
  void call(const onnx::FunctionProto& function, const onnx::NodeProto&, NodeContext& context) {
    inference::DataValueMap no_values;
    inference::InferShapeForFunctionNode(function, onnx::OpSchemaRegistry::Instance(), context,
                                         onnx::ShapeInferenceOptions(false, 0, false),
                                         sweep_.functions, &sweep_.symbols, &no_values);
  }

  void update(const std::string& name, TypeProto& found) {
    if (found.value_case() == TypeProto::VALUE_NOT_SET) return;
    inference::MaterializeSymbolicShape(&found, sweep_.symbols);
    Fact& fact = scope_.own(name);
    if (fact.type == nullptr) {
      auto* info = graph_.add_value_info();
      info->set_name(name);
      fact.type = info->mutable_type();
    }
    if (fact.known_type() == nullptr) {
      *fact.type = found;
    } else {
      inference::mergeShapesAndTypes(found, fact.type);
    }
  }

  void remember_constant(const onnx::NodeProto& node) {
    if (node.op_type() != "Constant" || !normalized(node.domain()).empty() ||
        node.output_size() != 1)
      return;
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
  Scope* outer_;
  Scope scope_;
  onnx::GraphProto& graph_;
};

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
  GraphSweep(sweep_, &outer_, graph_).run();
  std::vector<const TypeProto*> result;
  for (const auto& output : graph_.output()) result.push_back(&output.type());
  return result;
}

}  // namespace

std::vector<std::string> infer_types(onnx::ModelProto& model, const Opsets& opsets,
                                     bool data_propagation) {
  Sweep sweep{opsets, data_propagation, {}, {}, {}, {}, {}};
  for (const auto& function : model.functions()) {
    sweep.functions.insert(
        {function_id(function.domain(), function.name(), function.overload()), &function});
  }
  inference::TraverseGraphsToAddExistingSymbols(model.graph(), sweep.symbols);
  GraphSweep(sweep, nullptr, *model.mutable_graph()).run();
  return std::move(sweep.problems);
}

}  // namespace graphsurgeon
