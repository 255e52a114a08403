// Integers that go through float32 arithmetic and back: the casts go
// where the result is provably the same. float32 holds every integer up to 2^24, so inputs and
// results have to stay within that; a quotient of two of these integers, rounded to float32 and
// truncated, is the integer quotient (it misses the next integer by at least 1/divisor, and half a
// unit in the last place of it is less).

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "base/arrays/convert.h"
#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/fold/rule.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/operators/operator_facts.h"

namespace graphsurgeon {

namespace {

// Of the elements of an integer tensor.
struct IntegerBounds {
  int64_t low = 0, high = 0;
};

constexpr int kMaxDepth = 6;
constexpr IntegerBounds kAnything{std::numeric_limits<int64_t>::min(),
                                  std::numeric_limits<int64_t>::max()};

using Bounds = std::optional<IntegerBounds>;  // nullopt: not known

Bounds of_values(const Tensor& tensor, FoldContext& context) {
  std::vector<int64_t> numbers;
  if (const PayloadPtr value = context.value(tensor)) {
    if (!polygraphy::is_integral(value->dtype()) || !is_movable(value->dtype()) ||
        value->nbytes() > kSmallBytes) {
      return std::nullopt;
    }
    const Array array = value->load(tensor.name());
    for (int64_t i = 0; i < array.size(); ++i) numbers.push_back(array.get_int64(i));
  } else if (const DimList* known = context.elements(tensor)) {
    for (const Dim& d : *known) {
      if (!d.has_value()) return std::nullopt;
      numbers.push_back(d.value());
    }
  }
  if (numbers.empty()) return std::nullopt;
  const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
  return IntegerBounds{*low, *high};
}

Bounds of_type(DataType type) {
  switch (type) {
    case DataType::kBool:
      return IntegerBounds{0, 1};
    case DataType::kInt8:
      return IntegerBounds{-128, 127};
    case DataType::kUint8:
      return IntegerBounds{0, 255};
    case DataType::kInt16:
      return IntegerBounds{-32768, 32767};
    case DataType::kUint16:
      return IntegerBounds{0, 65535};
    default:
      return std::nullopt;
  }
}

// Of a sum, difference or product; the whole range where it overflows.
IntegerBounds combined_bounds(std::string_view op, const IntegerBounds& a, const IntegerBounds& b) {
  int64_t corners[4] = {};
  bool overflows = false;
  int k = 0;
  for (const int64_t x : {a.low, a.high}) {
    for (const int64_t y : {b.low, b.high}) {
      int64_t& out = corners[k++];
      overflows |= op == "Add"   ? __builtin_add_overflow(x, y, &out)
                   : op == "Sub" ? __builtin_sub_overflow(x, y, &out)
                                 : __builtin_mul_overflow(x, y, &out);
    }
  }
  if (overflows) return kAnything;
  return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}

Bounds bounds_of(const Tensor& tensor, FoldContext& context, int depth = 0);

// Of the positions along an axis.
Bounds of_axis(const Node& node, FoldContext&) {
  const Tensor* input = input_at(node, 0);
  const auto shape = input ? input->shape() : std::nullopt;
  if (!shape) return std::nullopt;
  const auto axis = axis_of(int_attribute(node, "axis", 0), shape->size());
  if (!axis || !(*shape)[*axis].is_static()) return std::nullopt;
  return IntegerBounds{0, std::max<int64_t>((*shape)[*axis].value() - 1, 0)};
}

Bounds of_node(const Node& node, FoldContext& context, int depth) {
  const std::string_view op = node.op();
  const auto input = [&](size_t i) -> Bounds {
    const Tensor* tensor = input_at(node, i);
    return tensor ? bounds_of(*tensor, context, depth + 1) : std::nullopt;
  };
  if (op == "Cast") {
    const Tensor* from = input_at(node, 0);
    if (from == nullptr) return std::nullopt;
    const Bounds bounds = of_type(from->dtype());
    if (bounds || !polygraphy::is_integral(from->dtype())) return bounds;
    const Bounds inner = input(0);
    const bool fits = inner && inner->low >= std::numeric_limits<int32_t>::min() &&
                      inner->high <= std::numeric_limits<int32_t>::max();
    return fits ? inner : std::nullopt;
  }
  if (op == "ArgMax" || op == "ArgMin") return of_axis(node, context);
  if (op == "Mod" && int_attribute(node, "fmod", 0) == 0) {
    const Bounds divisor = input(1);
    if (!divisor || divisor->low <= 0) return std::nullopt;
    return IntegerBounds{0, divisor->high - 1};
  }
  if (op == "Add" || op == "Sub" || op == "Mul") {
    const Bounds a = input(0);
    const Bounds b = input(1);
    if (!a || !b) return std::nullopt;
    return combined_bounds(op, *a, *b);
  }
  const OperatorFacts& facts = facts_of(node);
  const bool chooses = facts.movement == Movement::kSelects && facts.elementwise;  // Max, Min
  if (chooses || (facts.movement <= Movement::kMerges && moves_numbers(node))) {
    Bounds all;
    for (size_t i = 0; i < node.inputs().size(); ++i) {
      if (!facts.moves(i)) continue;
      const Bounds one = input(i);
      if (!one) return std::nullopt;
      all = all ? IntegerBounds{std::min(all->low, one->low), std::max(all->high, one->high)} : one;
    }
    return all;
  }
  return std::nullopt;
}

// From the producers, a few back. O(small constants).
Bounds bounds_of(const Tensor& tensor, FoldContext& context, int depth) {
  if (depth > kMaxDepth) return std::nullopt;
  if (const Bounds bounds = of_values(tensor, context)) return bounds;
  if (const Bounds bounds = of_type(tensor.dtype())) return bounds;
  const Node* producer = tensor.producer();
  if (producer == nullptr || !is_default_domain(producer->domain())) {
    return std::nullopt;
  }
  return of_node(*producer, context, depth);
}

constexpr std::string_view kOps[] = {"Add",  "Concat", "Div", "Equal", "Greater",
                                     "Less", "Max",    "Min", "Mul",   "Sub"};
constexpr int64_t kExact = int64_t{1} << 24;

bool is_exact(const IntegerBounds& bounds) {
  return bounds.low >= -kExact && bounds.high <= kExact;
}

// The version from which the operator takes int32 and int64.
int64_t integers_since(std::string_view op) {
  if (op == "Min" || op == "Max") return 12;
  if (op == "Greater" || op == "Less") return 9;
  return 7;
}

bool is_cast(const Node* node) {
  return node != nullptr && node->op() == "Cast" && is_default_domain(node->domain()) &&
         !node->inputs().empty();
}

DataType cast_type(const Node& cast) {
  return static_cast<DataType>(int_attribute(cast, "to", 0));
}

// The replacement of an input of the node.
struct Source {
  Tensor* tensor = nullptr;  // an integer behind a Cast
  PayloadPtr constant;       // or whole numbers
};

// Whole numbers of a float constant, as `type`.
PayloadPtr whole_numbers(const Array& values, DataType type, IntegerBounds& bounds) {
  bounds = {0, 0};
  for (int64_t i = 0; i < values.size(); ++i) {
    const double value = values.get_double(i);
    if (value != std::trunc(value) || std::fabs(value) > static_cast<double>(kExact))
      return nullptr;
    const auto whole = static_cast<int64_t>(value);
    bounds = i == 0 ? IntegerBounds{whole, whole}
                    : IntegerBounds{std::min(bounds.low, whole), std::max(bounds.high, whole)};
  }
  return owned_payload(polygraphy::convert(values, type));
}

class Elision {
 public:
  Elision(Node& node, FoldContext& context) : node_(node), context_(context) {}

  bool run() {
    if (node_.outputs().size() != 1 || context_.opset() < integers_since(node_.op())) return false;
    Tensor& output = *node_.outputs()[0];
    if (output.is_empty() || context_.is_graph_output(output)) return false;
    return casts_after(output) && sources() && stays_exact() && rewrite(output);
  }

 private:
  // All consumers are casts. Those to the integer type go.
  bool casts_after(const Tensor& output) {
    for (Node* consumer : output.consumers()) {
      if (!is_cast(consumer) || consumer->outputs().size() != 1) return false;
      const DataType to = cast_type(*consumer);
      const bool is_integer = to == DataType::kInt32 || to == DataType::kInt64;
      if (!is_integer) {
        others_.push_back(consumer);
      } else if (type_ == DataType::kUndefined || type_ == to) {
        type_ = to;
        casts_.push_back(consumer);
      } else {
        return false;
      }
    }
    // A quotient that is not truncated is a fraction.
    return !casts_.empty() && (others_.empty() || node_.op() != "Div");
  }

  bool sources() {
    bool is_any_cast = false;
    for (size_t i = 0; i < node_.inputs().size(); ++i) {
      Tensor* input = node_.inputs()[i];
      if (input->is_empty()) return false;
      IntegerBounds bounds;
      Source source;
      const Node* producer = input->producer();
      if (const PayloadPtr value = context_.value(*input)) {
        const auto values = small_value(node_, i, context_);
        if (!values || values->dtype() != DataType::kFloat32) return false;
        source.constant = whole_numbers(*values, type_, bounds);
        if (!source.constant) return false;
      } else if (is_cast(producer) && cast_type(*producer) == DataType::kFloat32) {
        source.tensor = producer->inputs()[0];
        const auto known = bounds_of(*source.tensor, context_);
        if (source.tensor->dtype() != type_ || !known) return false;
        bounds = *known;
        is_any_cast = true;
      } else {
        return false;
      }
      if (!is_exact(bounds)) return false;
      bounds_.push_back(bounds);
      sources_.push_back(std::move(source));
    }
    return is_any_cast;
  }

  bool stays_exact() const {
    const std::string_view op = node_.op();
    if (op == "Add" || op == "Sub" || op == "Mul") {
      return bounds_.size() == 2 && is_exact(combined_bounds(op, bounds_[0], bounds_[1]));
    }
    return op != "Div" || (bounds_.size() == 2 && (bounds_[1].low > 0 || bounds_[1].high < 0));
  }

  bool rewrite(Tensor& output) {
    std::vector<std::string_view> lost;
    for (size_t i = 0; i < sources_.size(); ++i) {
      if (sources_[i].tensor != nullptr) {
        node_.inputs().set(i, TensorRef(sources_[i].tensor));
        continue;
      }
      Tensor& old = *node_.inputs()[i];
      TensorRef whole = Tensor::variable(
          old.store(), context_.free_tensor_name(std::string(old.name()) + "_as_integer"), type_,
          std::nullopt);
      context_.add_constant(*whole, sources_[i].constant);
      node_.inputs().set(i, std::move(whole));
    }
    if (node_.op() != "Equal" && node_.op() != "Greater" && node_.op() != "Less") {
      rebind(output, lost);
    }
    context_.rewritten(node_, std::move(lost));
    return true;
  }

  // The node makes the result of the casts.
  void rebind(Tensor& output, std::vector<std::string_view>& lost) {
    lost.push_back(output.name());
    const TensorRef keep(&output);
    const TensorRef result(casts_[0]->outputs()[0]);
    for (size_t i = 0; i < casts_.size(); ++i) {
      if (i > 0) {
        casts_[i]->inputs().set(0, result);  // to its own type: an Identity
        continue;
      }
      casts_[i]->outputs().clear();
    }
    node_.outputs().set(0, result);
    for (Node* other : others_) other->inputs().set(0, result);
  }

  Node& node_;
  FoldContext& context_;
  DataType type_ = DataType::kUndefined;
  std::vector<Node*> casts_, others_;
  std::vector<Source> sources_;
  std::vector<IntegerBounds> bounds_;
};

bool apply_rule(Node& node, FoldContext& context) {
  return Elision(node, context).run();
}

}  // namespace

extern constinit const FoldRule fold_rule_cast_elision = {
    .name = "cast-elision",
    .summary = "casts of integers to float32 and back, if the result is provably the same",
    .ops = kOps,
    .of_shapes = true,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
