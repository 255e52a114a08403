#include "graphsurgeon/passes/float16.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/log_modules.h"
#include "base/text.h"
#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/ir/tensor_names.h"
#include "graphsurgeon/operators/operator_facts.h"
#include "graphsurgeon/passes/float16_plan.h"

namespace graphsurgeon {

namespace {

constexpr auto kFloat16 = static_cast<int64_t>(DataType::kFloat16);
constexpr auto kFloat32 = static_cast<int64_t>(DataType::kFloat32);

Attribute int_attribute(std::string_view name, int64_t value) {
  Attribute attribute;
  attribute.name = name;
  attribute.type = AttributeType::kInt;
  attribute.value = value;
  return attribute;
}

Attribute tensor_attribute(std::string_view name, PayloadPtr values) {
  Attribute attribute;
  attribute.name = name;
  attribute.type = AttributeType::kTensor;
  attribute.value = TensorValue{{}, std::move(values), {}};
  return attribute;
}

constexpr int64_t kInitializersNeedNotBeInputs = 4;

class Float16Conversion {
 public:
  Float16Conversion(Model& model, const Float16Options& options, polygraphy::Logger& logger)
      : model_(model),
        options_(options),
        logger_(logger),
        types_(model, logger),
        plan_(model, options, types_) {}

  void run() {
    warn_of_sizes();
    if (!model_.opset()) {
      // Only operators of other domains so far, and no Cast.
      const bool old = model_.ir_version < 7;
      casts_import_.version = old ? 7 : 13;
    }
    for (const Float16Graph& graph : plan_.graphs()) convert_values(graph);
    for (const Float16Graph& graph : plan_.graphs()) connect(graph);
    for (const Float16Graph& graph : plan_.graphs()) insert_casts(*graph.graph);
    const bool casts = !casts_before_.empty() || !casts_behind_.empty();
    if (casts && casts_import_.version != 0) model_.opset_imports.push_back(casts_import_);
  }

 private:
  struct Versions {
    TensorRef float16, float32;
  };

  void warn_of_sizes() const {
    constexpr size_t kShown = 5;
    const std::vector<const Node*>& nodes = plan_.rounded_sizes();
    if (nodes.empty()) return;
    std::string list;
    for (size_t i = 0; i < std::min(kShown, nodes.size()); ++i) {
      const Node& node = *nodes[i];
      const std::string_view name = node.name().empty() && !node.outputs().empty()
                                        ? node.outputs().front()->name()
                                        : node.name();
      list += fmt::format("{}'{}' ({})", i ? ", " : "", name, node.op());
    }
    list += polygraphy::and_more(nodes.size(), kShown, " ");
    logger_.warning(
        polygraphy::log_modules::kOnnxLoader,
        "Shapes may change with the rounding to float16: they depend on computed values in " +
            list);
  }

  // --- values and types

  void convert_values(const Float16Graph& graph) {
    const auto declare = [&](Tensor& tensor) {
      const Float16Tensor* fact = plan_.find(tensor);
      if (fact && fact->is_float16) set_type(tensor);
    };
    for (const TensorRef& tensor : graph.graph->initializers()) declare(*tensor);
    for (const TensorRef& tensor : graph.graph->inputs()) declare(*tensor);
    const auto& nodes = graph.graph->nodes();
    for (size_t n = 0; n < nodes.size(); ++n) {
      bool gives_float16 = false;
      for (size_t i = 0; i < nodes[n]->outputs().size(); ++i) {
        Tensor& tensor = *nodes[n]->outputs()[i];
        const Float16Tensor* fact = plan_.find(tensor);
        if (!fact) continue;
        gives_float16 |= fact->is_float16;
        if (fact->is_float16 && fact->is_output) {
          give_another(*nodes[n], i);
        } else if (fact->is_float16) {
          set_type(tensor);
        }
      }
      if (!graph.blocked_nodes[n]) convert_attributes(*nodes[n], gives_float16);
    }
  }

  // An output of the model keeps name and type: the node gets another tensor.
  void give_another(Node& node, size_t i) {
    TensorRef output(node.outputs()[i]);
    TensorRef produced = sibling(*output, true);
    node.outputs().set(i, produced);
    casts_behind_[&node].push_back(cast(*produced, output, false));
    versions_[output.get()] = {std::move(produced), output};
  }

  void set_type(Tensor& tensor) {
    if (tensor.is_constant()) {
      if (tensor.dtype() == DataType::kFloat32) {
        tensor.to_constant(float16_payload(tensor.payload(), options_.limits));
      }
    } else if (tensor.declared_dtype() == DataType::kFloat32) {
      tensor.set_dtype(DataType::kFloat16);
    }
  }

  void convert_attributes(Node& node, bool gives_float16) {
    if (node.op() == "Constant") {
      if (gives_float16) convert_constant(node);
      return;
    }
    if (node.op() == "ConstantOfShape") {
      if (!gives_float16) return;
      const Attribute* value = node.attribute("value");
      const auto* tensor = value ? std::get_if<TensorValue>(&value->value) : nullptr;
      set_value(node,
                tensor ? tensor->values : owned_payload(Array::zeros(DataType::kFloat32, {1})));
      return;
    }
    if (gives_float16 && node.op() == "Cast") return set_cast(node, true);
    const std::string_view name = facts_of(node).type_attribute;
    if (gives_float16 && !name.empty()) node.set_attribute(int_attribute(name, kFloat16));
    const Attribute* type = node.attribute("output_dtype");
    const auto* number = type ? std::get_if<int64_t>(&type->value) : nullptr;
    if (gives_float16 && number && *number == kFloat32) {
      node.set_attribute(int_attribute("output_dtype", kFloat16));
    }
  }

  void convert_constant(Node& node) {
    if (const Attribute* value = node.attribute("value")) {
      if (const auto* tensor = std::get_if<TensorValue>(&value->value)) {
        set_value(node, PayloadPtr(tensor->values));
      }
    } else if (const Attribute* one = node.attribute("value_float")) {
      if (const auto* number = std::get_if<float>(&one->value)) {
        set_value(node, owned_payload(Array::of<float>({}, {*number})));
      }
      node.remove_attribute("value_float");
    } else if (const Attribute* list = node.attribute("value_floats")) {
      if (const auto* numbers = std::get_if<std::vector<float>>(&list->value)) {
        set_value(node, owned_payload(Array::of<float>({std::ssize(*numbers)},
                                                       std::span<const float>(*numbers))));
      }
      node.remove_attribute("value_floats");
    }
  }

  void set_value(Node& node, PayloadPtr values) {
    if (values->dtype() != DataType::kFloat32) return;
    // Values of attributes rarely have a name.
    Float16Limits limits = options_.limits;
    if (limits.on_clamped && !node.outputs().empty()) {
      limits.on_clamped =
          [say = limits.on_clamped, output = std::string(node.outputs().front()->name())](
              std::string_view name, float number) { say(name.empty() ? output : name, number); };
    }
    node.set_attribute(tensor_attribute("value", float16_payload(std::move(values), limits)));
  }

  // --- connections

  void connect(const Float16Graph& graph) {
    const auto& nodes = graph.graph->nodes();
    for (size_t n = 0; n < nodes.size(); ++n) {
      TensorList& inputs = nodes[n]->inputs();
      for (size_t i = 0; i < inputs.size(); ++i) {
        const Float16Tensor* fact = plan_.find(*inputs[i]);
        if (!fact) continue;
        const Precision wanted = plan_.wanted(graph, n, i);
        const bool as_float16 =
            wanted == Precision::kEither ? fact->is_float16 : wanted == Precision::kFloat16;
        TensorRef version = version_of(*inputs[i], *fact, as_float16);
        if (version.get() != inputs[i]) inputs.set(i, std::move(version));
      }
    }
    if (graph.graph == model_.graph.get()) return;
    const bool as_float16 = plan_.wanted_output(graph) == Precision::kFloat16;
    for (size_t i = 0; i < graph.graph->outputs().size(); ++i) {
      Tensor& output = *graph.graph->outputs()[i];
      const Float16Tensor* fact = plan_.find(output);
      if (!fact) continue;
      TensorRef version = version_of(output, *fact, as_float16);
      if (version.get() != &output) graph.graph->mutable_outputs()[i] = std::move(version);
    }
  }

  TensorRef version_of(Tensor& tensor, const Float16Tensor& fact, bool as_float16) {
    Versions& versions = versions_[&tensor];
    TensorRef& own = fact.is_float16 ? versions.float16 : versions.float32;
    if (!own) own = TensorRef(&tensor);
    TensorRef& version = as_float16 ? versions.float16 : versions.float32;
    if (version) return version;
    const bool stands_alone = model_.ir_version >= kInitializersNeedNotBeInputs;
    if (fact.weight && (stands_alone || fact.graph == model_.graph.get())) {
      // Both types are needed, so it has stayed float32.
      version = Tensor::constant(tensor.store(), unique(std::string(tensor.name()) + "_float16"),
                                 float16_payload(tensor.payload(), options_.limits));
      fact.graph->mutable_initializers().push_back(version);
      if (!stands_alone) fact.graph->mutable_inputs().push_back(version);
      return version;
    }
    version = sibling(tensor, as_float16);
    NodeRef node = cast(*own, version, as_float16);
    if (fact.producer) {
      casts_behind_[fact.producer].push_back(std::move(node));
    } else {
      casts_before_[fact.graph].push_back(std::move(node));
    }
    return version;
  }

  // A new tensor of the same shape and the other type.
  TensorRef sibling(const Tensor& tensor, bool is_float16) {
    return Tensor::variable(
        tensor.store(), unique(std::string(tensor.name()) + (is_float16 ? "_float16" : "_float32")),
        is_float16 ? DataType::kFloat16 : DataType::kFloat32, tensor.shape());
  }

  NodeRef cast(Tensor& from, TensorRef to, bool to_float16) {
    NodeRef node = Node::create(
        from.store(), "Cast",
        unique(std::string(from.name()) + (to_float16 ? "_to_float16" : "_to_float32")));
    set_cast(*node, to_float16);
    node->inputs().append(TensorRef(&from));
    node->outputs().append(std::move(to));
    return node;
  }

  // The first form of Cast takes the type's name.
  void set_cast(Node& node, bool to_float16) const {
    constexpr int64_t kTypesAreNumbers = 6;
    if (model_.opset().value_or(kTypesAreNumbers) >= kTypesAreNumbers) {
      return node.set_attribute(int_attribute("to", to_float16 ? kFloat16 : kFloat32));
    }
    Attribute attribute;
    attribute.name = "to";
    attribute.type = AttributeType::kString;
    attribute.value = std::string_view(to_float16 ? "FLOAT16" : "FLOAT");
    node.set_attribute(std::move(attribute));
  }

  void insert_casts(Graph& graph) {
    const auto before = casts_before_.find(&graph);
    const bool behind =
        std::any_of(graph.nodes().begin(), graph.nodes().end(),
                    [&](const NodeRef& node) { return casts_behind_.contains(node.get()); });
    if (before == casts_before_.end() && !behind) return;
    std::vector<NodeRef> nodes;
    if (before != casts_before_.end()) nodes = std::move(before->second);
    for (NodeRef& node : graph.mutable_nodes()) {
      const auto casts = casts_behind_.find(node.get());
      nodes.push_back(std::move(node));
      if (casts == casts_behind_.end()) continue;
      for (NodeRef& one : casts->second) nodes.push_back(std::move(one));
    }
    graph.mutable_nodes() = std::move(nodes);
  }

  // Among the names of all tensors and nodes.
  std::string unique(const std::string& wanted) {
    if (names_.empty()) {
      for (const Graph* graph : all_graphs(model_)) {
        for (const auto& [name, tensor] : graph->tensor_map()) names_.emplace(name);
        for (const NodeRef& node : graph->nodes()) names_.emplace(node->name());
      }
    }
    return unused_name(names_, wanted);
  }

  Model& model_;
  const Float16Options& options_;
  polygraphy::Logger& logger_;
  const TensorTypes types_;
  Float16Plan plan_;
  std::unordered_map<const Tensor*, Versions> versions_;
  std::unordered_map<const Node*, std::vector<NodeRef>> casts_behind_;
  std::unordered_map<const Graph*, std::vector<NodeRef>> casts_before_;
  TensorNames names_;
  OpsetImport casts_import_ = {};  // version 0: it is there
};

}  // namespace

std::set<std::string, std::less<>> Float16Options::default_op_block_list() {
  return {"ArrayFeatureExtractor",
          "Binarizer",
          "BitCast",
          "BlackmanWindow",
          "CastMap",
          "CategoryMapper",
          "CumSum",
          "DequantizeLinear",
          "DictVectorizer",
          "DynamicQuantizeLinear",
          "EyeLike",
          "FeatureVectorizer",
          "HammingWindow",
          "HannWindow",
          "Imputer",
          "LabelEncoder",
          "LinearClassifier",
          "LinearRegressor",
          "Max",
          "MeanVarianceNormalization",
          "MelWeightMatrix",
          "Min",
          "NonMaxSuppression",
          "Normalizer",
          "OneHotEncoder",
          "QuantizeLinear",
          "RandomNormal",
          "RandomUniform",
          "RandomUniformLike",
          "Range",
          "Resize",
          "RoiAlign",
          "SVMClassifier",
          "SVMRegressor",
          "Scaler",
          "TopK",
          "TreeEnsembleClassifier",
          "TreeEnsembleRegressor",
          "Upsample",
          "ZipMap"};
}

void convert_to_float16(Model& model, const Float16Options& options, polygraphy::Logger& logger) {
  Float16Conversion(model, options, logger).run();
}

std::vector<size_t> nodes_in_float16(const Model& model, const Float16Options& options,
                                     polygraphy::Logger& logger) {
  const TensorTypes types(model, logger);
  Float16Plan plan(model, options, types);
  std::vector<size_t> positions;
  for (size_t n = 0; n < model.graph->nodes().size(); ++n) {
    if (plan.works_in_float16(n)) positions.push_back(n);
  }
  return positions;
}

}  // namespace graphsurgeon
