#include "faulty_engine.h"

#include <limits>
#include <utility>

#include "graphsurgeon/ir/arg.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "polygraphy/data/tensors/graph_metadata.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/noise/noisy_model.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"
#include "polygraphy/runtimes/backend/instance.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

// Nodes behind the one that is wrong.
class Behind {
 public:
  Behind(Graph& graph, size_t position) : graph_(graph), at_(position + 1) {}

  TensorRef apply(const char* op, std::vector<TensorRef> inputs,
                  std::vector<std::pair<const char*, int64_t>> attributes = {}) {
    const TensorRef result = graph_.variable(name());
    make(op, std::move(inputs), result, std::move(attributes));
    return result;
  }
  void make(const char* op, std::vector<TensorRef> inputs, const TensorRef& result,
            std::vector<std::pair<const char*, int64_t>> attributes = {}) {
    const NodeRef node = Node::create(graph_.store(), op, name());
    for (const auto& [key, value] : attributes) node->set_attribute(key, value);
    for (TensorRef& input : inputs) node->inputs().append(std::move(input));
    node->outputs().append(result);
    auto& nodes = graph_.mutable_nodes();
    nodes.insert(nodes.begin() + static_cast<ptrdiff_t>(at_++), node);
  }
  TensorRef constant(Array value) {
    const TensorRef tensor = graph_.constant(name(), std::move(value));
    graph_.mutable_initializers().push_back(tensor);
    return tensor;
  }
  TensorRef number(float value) { return constant(Array::of<float>({}, {value})); }
  TensorRef largest(const TensorRef& of) { return apply("ReduceMax", {of}, {{"keepdims", 0}}); }

 private:
  std::string name() { return "fault\x1f" + std::to_string(at_) + "_" + std::to_string(count_++); }

  Graph& graph_;
  size_t at_;
  size_t count_ = 0;
};

TensorRef with_first(Behind& behind, const TensorRef& whole, int64_t count, float value) {
  const std::vector<float> values(static_cast<size_t>(count), value);
  std::vector<int64_t> indices(static_cast<size_t>(count));
  for (size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<int64_t>(i);
  const TensorRef flat =
      behind.apply("Reshape", {whole, behind.constant(Array::of<int64_t>({1}, {-1}))});
  const TensorRef edited = behind.apply(
      "ScatterElements",
      {flat, behind.constant(Array::of<int64_t>({count}, std::span<const int64_t>(indices))),
       behind.constant(Array::of<float>({count}, std::span<const float>(values)))});
  return behind.apply("Reshape", {edited, behind.apply("Shape", {whole})});
}

bool plant_behind(Graph& graph, size_t position, const Fault& fault) {
  Node& node = *graph.nodes()[position];
  if (node.outputs().empty()) return false;
  const TensorRef result(node.outputs()[0]);
  const TensorRef right =
      graph.variable("right\x1f" + std::string(result->name()), result->dtype());
  node.outputs().set(0, right);
  Behind behind(graph, position);
  TensorRef wrong;
  switch (fault.kind) {
    case Fault::Kind::kScale:
      wrong = behind.apply("Mul", {right, behind.number(static_cast<float>(1 + fault.limit))});
      break;
    case Fault::Kind::kSaturates:
      wrong = behind.apply(
          "Min", {right, behind.apply("Mul", {behind.largest(right), behind.number(0.5f)})});
      break;
    case Fault::Kind::kTile:
      wrong = with_first(behind, right, 4, 0);
      break;
    case Fault::Kind::kNan:
      wrong = with_first(behind, right, 1, std::numeric_limits<float>::quiet_NaN());
      break;
    case Fault::Kind::kTruncates: {
      const TensorRef step =
          behind.apply("Div", {behind.largest(behind.apply("Abs", {right})), behind.number(64)});
      wrong =
          behind.apply("Mul", {behind.apply("Floor", {behind.apply("Div", {right, step})}), step});
      break;
    }
    case Fault::Kind::kSometimes: {
      const TensorRef large = behind.apply(
          "Greater", {behind.largest(right), behind.number(static_cast<float>(fault.limit))});
      wrong =
          behind.apply("Where", {large, behind.apply("Mul", {right, behind.number(1.5f)}), right});
      break;
    }
    default:
      return false;
  }
  behind.make("Identity", {wrong}, result);
  return true;
}

bool plant_inside(Graph& graph, size_t position, const Fault& fault) {
  Node& node = *graph.nodes()[position];
  const std::string_view op = node.op();
  switch (fault.kind) {
    case Fault::Kind::kEpsilon:
      if (op.find("Normalization") == std::string_view::npos) return false;
      node.set_attribute("epsilon", 0.1f);
      return true;
    case Fault::Kind::kAxis:
      if (op != "Softmax") return false;
      node.set_attribute("axis", -2);
      return true;
    case Fault::Kind::kNoBias:
      if ((op != "Conv" && op != "Gemm") || node.inputs().size() < 3) return false;
      node.inputs().erase(2);
      return true;
    case Fault::Kind::kTransposed: {
      if ((op != "MatMul" && op != "Gemm") || !node.inputs()[1]->is_constant()) return false;
      const TensorRef weight(node.inputs()[1]);
      const auto shape = weight->shape();
      if (!shape || shape->size() != 2 || !((*shape)[0] == (*shape)[1])) return false;
      const TensorRef turned = graph.variable("turned\x1f" + std::string(weight->name()));
      const NodeRef transpose = Node::create(graph.store(), "Transpose", "turn\x1f");
      transpose->inputs().append(weight);
      transpose->outputs().append(turned);
      node.inputs().set(1, turned);
      auto& nodes = graph.mutable_nodes();
      nodes.insert(nodes.begin() + static_cast<ptrdiff_t>(position), transpose);
      return true;
    }
    case Fault::Kind::kOverflows: {
      if (op != "ReduceL2") return false;
      const TensorRef result(node.outputs()[0]);
      const TensorRef squares = graph.variable("squares\x1f");
      node.set_op("ReduceSumSquare");
      node.outputs().set(0, squares);
      Behind behind(graph, position);
      const TensorRef half = behind.apply("Cast", {squares}, {{"to", 10}});
      behind.make("Sqrt", {behind.apply("Cast", {half}, {{"to", 1}})}, result);
      return true;
    }
    default:
      return plant_behind(graph, position, fault);
  }
}

BundledRuntime& runtime() {
  static Logger log;
  static BundledRuntime shared(built_paths(), log);
  return shared;
}

class FaultyEngine : public Runner {
 public:
  FaultyEngine(ModelSource source, std::vector<Fault> faults, std::optional<NumberFormat> format)
      : Runner("faulty"), source_(std::move(source)), faults_(std::move(faults)), format_(format) {}

 private:
  void activate_impl() override {
    Logger quiet;
    Model model = std::move(*load_onnx(source_, quiet));
    for (const Fault& fault : faults_) plant(model, fault);
    inputs_ = metadata_of_variables(model.graph->inputs());
    if (format_) model = noisy_model(model, {.format = *format_, .stochastic = false});
    session_ = runtime().load(model);
  }
  void deactivate_impl() noexcept override { session_.reset(); }
  Metadata input_metadata_impl() override { return inputs_; }
  Inference infer_impl(const ValueMap& feeds) override {
    return {.outputs = run_model(*session_, feeds)};
  }

  ModelSource source_;
  std::vector<Fault> faults_;
  std::optional<NumberFormat> format_;
  Metadata inputs_;
  std::unique_ptr<BackendSession> session_;
};

}  // namespace

PluginPaths built_paths() {
  PluginPaths paths;
  paths.plugin_dirs = {PG_BINARY_DIR "/lib/polygraphy/backends"};
  paths.bundled = {PG_BINARY_DIR "/lib/polygraphy/engines"};
  return paths;
}

const char* name_of(Fault::Kind kind) {
  static constexpr const char* kNames[] = {"scale",      "saturates", "tile",     "nan",
                                           "truncates",  "epsilon",   "axis",     "no_bias",
                                           "transposed", "overflows", "sometimes"};
  return kNames[static_cast<size_t>(kind)];
}

bool plant(Model& model, const Fault& fault) {
  for (Graph* graph : graphsurgeon::inner_graphs_first(*model.graph)) {
    for (size_t i = 0; i < graph->nodes().size(); ++i) {
      if (graph->nodes()[i]->name() == fault.node) return plant_inside(*graph, i, fault);
    }
  }
  return false;
}

std::shared_ptr<Runner> faulty_engine(const ModelSource& source, std::vector<Fault> faults,
                                      std::optional<NumberFormat> format) {
  return std::make_shared<FaultyEngine>(source, std::move(faults), format);
}

}  // namespace polygraphy
