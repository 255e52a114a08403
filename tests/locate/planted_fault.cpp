#include "planted_fault.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "base/arrays/convert.h"
#include "base/error.h"
#include "graphsurgeon/ir/arg.h"
#include "graphsurgeon/ir/nested_graphs.h"

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
  Behind(Graph& graph, size_t position, DataType type)
      : graph_(graph), at_(position + 1), type_(type) {}

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
  TensorRef number(float value) { return numbers({}, {value}); }
  // In the type of the result.
  TensorRef numbers(Shape shape, std::vector<float> values) {
    return constant(
        convert(Array::of<float>(std::move(shape), std::span<const float>(values)), type_));
  }
  TensorRef largest(const TensorRef& of) { return apply("ReduceMax", {of}, {{"keepdims", 0}}); }

 private:
  std::string name() { return "fault\x1f" + std::to_string(at_) + "_" + std::to_string(count_++); }

  Graph& graph_;
  size_t at_;
  DataType type_;
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
       behind.numbers({count}, values)});
  return behind.apply("Reshape", {edited, behind.apply("Shape", {whole})});
}

// Whole numbers as they are computed with here: operators of small types are rare.
TensorRef one_less_or_one(Behind& behind, const TensorRef& right) {
  const TensorRef wide = behind.apply("Cast", {right}, {{"to", 7}});
  const TensorRef one = behind.constant(Array::of<int64_t>({}, {1}));
  const TensorRef zero = behind.constant(Array::of<int64_t>({}, {0}));
  return behind.apply("Where",
                      {behind.apply("Equal", {wide, zero}), one, behind.apply("Sub", {wide, one})});
}

TensorRef first_flipped(Behind& behind, const TensorRef& right) {
  const TensorRef other = one_less_or_one(behind, right);
  const TensorRef wide = behind.apply("Cast", {right}, {{"to", 7}});
  const TensorRef all = behind.constant(Array::of<int64_t>({1}, {-1}));
  const TensorRef first = behind.constant(Array::of<int64_t>({1}, {0}));
  const TensorRef flat = behind.apply("Reshape", {wide, all});
  const TensorRef flipped = behind.apply("Gather", {behind.apply("Reshape", {other, all}), first});
  return behind.apply("Reshape", {behind.apply("ScatterElements", {flat, first, flipped}),
                                  behind.apply("Shape", {right})});
}

bool plant_in_whole_numbers(Graph& graph, size_t position, const Fault& fault) {
  Node& node = *graph.nodes()[position];
  for (size_t i = 0; i < node.outputs().size(); ++i) {
    const TensorRef result(node.outputs()[i]);
    if (result->is_empty() || !is_integral(result->dtype())) continue;
    const TensorRef right =
        graph.variable("right\x1f" + std::string(result->name()), result->dtype());
    node.outputs().set(i, right);
    Behind behind(graph, position, result->dtype());
    const TensorRef wrong =
        fault.kind == Fault::Kind::kFlips
            ? first_flipped(behind, right)
            : behind.apply("Add", {behind.apply("Cast", {right}, {{"to", 7}}),
                                   behind.constant(Array::of<int64_t>({}, {1}))});
    behind.make("Cast", {wrong}, result, {{"to", static_cast<int64_t>(result->dtype())}});
    return true;
  }
  return false;
}

bool makes_sequence(const Node& node) {
  return node.op() == "SplitToSequence" || node.op() == "SequenceConstruct" ||
         node.op() == "SequenceInsert";
}

// Of a sequence, only the first item can be too large.
bool plant_behind(Graph& graph, size_t position, const Fault& fault) {
  Node& node = *graph.nodes()[position];
  if (node.outputs().empty()) return false;
  const TensorRef result(node.outputs()[0]);
  const DataType type =
      is_floating(result->dtype()) ? result->dtype() : DataType::kFloat32;  // or not known
  const TensorRef right =
      graph.variable("right\x1f" + std::string(result->name()), result->dtype());
  node.outputs().set(0, right);
  Behind behind(graph, position, type);
  TensorRef wrong;
  switch (fault.kind) {
    case Fault::Kind::kScale:
      if (makes_sequence(node)) {
        const TensorRef first = behind.constant(Array::of<int64_t>({}, {0}));
        const TensorRef item =
            behind.apply("Mul", {behind.apply("SequenceAt", {right, first}), behind.number(1.5f)});
        wrong = behind.apply("SequenceInsert",
                             {behind.apply("SequenceErase", {right, first}), item, first});
        behind.make("Identity", {wrong}, result);
        return true;
      }
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

// A TopK of the reversed last axis.
bool plant_other_ties(Graph& graph, size_t position) {
  Node& node = *graph.nodes()[position];
  if (node.op() == "ArgMax" || node.op() == "ArgMin") {
    const graphsurgeon::Attribute* last = node.attribute("select_last_index");
    node.set_attribute("select_last_index", int64_t{!last || last->as_int() == 0});
    return true;
  }
  const auto shape = node.inputs()[0]->shape();
  if (node.op() != "TopK" || !shape || !shape->back().has_value()) return false;
  const int64_t length = shape->back().value();
  std::vector<int64_t> order;
  for (int64_t i = length - 1; i >= 0; --i) order.push_back(i);
  const TensorRef indices(node.outputs()[1]), right = graph.variable("right\x1findices");
  const TensorRef read(node.inputs()[0]), turned = graph.variable("turned\x1f");
  node.inputs().set(0, turned);
  node.outputs().set(1, right);
  Behind behind(graph, position, DataType::kFloat32);
  behind.make("Sub", {behind.constant(Array::of<int64_t>({}, {length - 1})), right}, indices);
  Behind before(graph, position - 1, DataType::kFloat32);
  before.make(
      "Gather",
      {read, before.constant(Array::of<int64_t>({length}, std::span<const int64_t>(order)))},
      turned, {{"axis", -1}});
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
      Behind behind(graph, position, DataType::kFloat32);
      const TensorRef half = behind.apply("Cast", {squares}, {{"to", 10}});
      behind.make("Sqrt", {behind.apply("Cast", {half}, {{"to", 1}})}, result);
      return true;
    }
    case Fault::Kind::kPlusOne:
    case Fault::Kind::kFlips:
      return plant_in_whole_numbers(graph, position, fault);
    case Fault::Kind::kDropsTerm: {
      if ((op != "Add" && op != "Sub") || !node.inputs()[1]->is_constant()) return false;
      node.set_op("Identity");
      node.inputs().erase(1);
      return true;
    }
    case Fault::Kind::kNoZero: {
      if ((op != "QuantizeLinear" && op != "DequantizeLinear") || node.inputs().size() < 3)
        return false;
      const Tensor& zero = *node.inputs()[2];
      if (!zero.is_constant() || op == "QuantizeLinear") return false;
      const Array values = zero.values();
      bool any = false;
      for (int64_t i = 0; i < values.size(); ++i) any |= values.get_int64(i) != 0;
      if (!any) return false;  // it computes the same
      node.inputs().erase(2);
      return true;
    }
    case Fault::Kind::kOtherTies:
      return plant_other_ties(graph, position);
    default:
      return plant_behind(graph, position, fault);
  }
}

bool reads(const Node& node, const Node& producer) {
  for (const Tensor* input : node.inputs()) {
    if (input->producer() == &producer) return true;
  }
  return false;
}

bool makes_output(const Graph& graph, const Node& node) {
  return std::ranges::any_of(graph.outputs(), [&](const graphsurgeon::TensorRef& output) {
    return output->producer() == &node;
  });
}

bool is_fused(const Graph& graph, const Fault& fault) {
  const Node* before = nullptr;
  for (const std::string& name : fault.fused) {
    if (before && fault.split_by_outputs && makes_output(graph, *before)) return false;
    const Node* found = nullptr;
    for (const NodeRef& node : graph.nodes()) {
      if (node->name() == name) found = node.get();
    }
    if (!found || (before && !reads(*found, *before))) return false;
    before = found;
  }
  return true;
}

}  // namespace

const char* name_of(Fault::Kind kind) {
  static constexpr const char* kNames[] = {"scale",      "saturates",  "tile",      "nan",
                                           "truncates",  "epsilon",    "axis",      "no_bias",
                                           "transposed", "overflows",  "sometimes", "plus_one",
                                           "flips",      "drops_term", "no_zero",   "other_ties"};
  static_assert(std::size(kNames) == static_cast<size_t>(Fault::Kind::kOtherTies) + 1);
  return kNames[static_cast<size_t>(kind)];
}

Fault parse_fault(const std::string& text) {
  Fault fault;
  const size_t at = text.find('@'), bar = std::min(text.find('|'), text.size());
  if (at == std::string::npos || at > bar) throw Error("no fault: " + text);
  const std::string kind = text.substr(0, std::min(text.find(':'), at));
  if (kind.size() < at) fault.limit = std::stod(text.substr(kind.size() + 1));
  const int last = static_cast<int>(Fault::Kind::kOtherTies);
  int found = 0;
  while (found <= last && name_of(static_cast<Fault::Kind>(found)) != kind) ++found;
  if (found > last) throw Error("no kind of fault: " + kind);
  fault.kind = static_cast<Fault::Kind>(found);
  fault.node = text.substr(at + 1, bar - at - 1);
  for (size_t begin = bar + 1; begin < text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    fault.fused.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return fault;
}

std::string text_of(const Fault& fault) {
  std::string text = name_of(fault.kind);
  if (fault.limit != 0) text += ":" + std::to_string(fault.limit);
  text += "@" + fault.node;
  for (size_t i = 0; i < fault.fused.size(); ++i) text += (i == 0 ? "|" : ",") + fault.fused[i];
  return text;
}

bool plant(Model& model, const Fault& fault) {
  for (Graph* graph : graphsurgeon::inner_graphs_first(*model.graph)) {
    for (size_t i = 0; i < graph->nodes().size(); ++i) {
      if (graph->nodes()[i]->name() != fault.node) continue;
      return is_fused(*graph, fault) && plant_inside(*graph, i, fault);
    }
  }
  return false;
}

}  // namespace polygraphy
