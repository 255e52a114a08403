// Integers that go through float32 arithmetic and back: the casts go
// where the result is provably the same. float32 holds every integer up to 2^24, so inputs and
// results have to stay within that; a quotient of two such integers, rounded to float32 and
// truncated, is the integer quotient (it misses the next integer by at least 1/divisor, and half a
// unit in the last place of it is less).

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/arrays/convert.h"
#include "graphsurgeon/fold/integer_bounds.h"
#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/ir/domain.h"

namespace graphsurgeon {

namespace {

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
        const auto known = integer_bounds(*source.tensor, context_);
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

  // The node makes what the casts made of it.
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

extern const FoldRule fold_rule_cast_elision;
constinit const FoldRule fold_rule_cast_elision = {
    .name = "cast-elision",
    .summary = "casts of integers to float32 and back, if the result is provably the same",
    .ops = kOps,
    .of_shapes = true,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
