#include "polygraphy/data/inputs/constraints/propagate_backward.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/operators/operator_facts.h"
#include "polygraphy/data/inputs/constraints/input_constraint.h"

namespace polygraphy {
namespace {

using graphsurgeon::input_at;
using graphsurgeon::Movement;
using graphsurgeon::Node;
using graphsurgeon::Tensor;

bool is_one_of(std::string_view op, std::initializer_list<std::string_view> ops) {
  return std::find(ops.begin(), ops.end(), op) != ops.end();
}

std::optional<size_t> last_dim(const Tensor* tensor) {
  if (tensor == nullptr) return std::nullopt;
  const auto dims = tensor->shape();
  if (!dims || dims->empty() || !dims->back().is_static()) return std::nullopt;
  return static_cast<size_t>(dims->back().value());
}

std::optional<size_t> rank_of(const Tensor* tensor) {
  if (tensor == nullptr) return std::nullopt;
  const auto dims = tensor->shape();
  if (!dims) return std::nullopt;
  return dims->size();
}

ValueRange without_columns(const ValueRange& range) {
  ValueRange result = range;
  result.bounds = range.common();
  result.per_column.clear();
  return result;
}

ValueBounds at(const ValueRange& range, size_t place) {
  return place < range.per_column.size() ? intersection(range.per_column[place], range.bounds)
                                         : range.bounds;
}

class Propagation {
 public:
  Propagation(const Node& node, size_t output, const ValueRange& range, const RangeSink& sink)
      : node_(node), output_(output), range_(range), sink_(sink) {}

  void run() {
    const std::string_view op = node_.op();
    if (is_one_of(op, {"Cast", "CastLike", "Dropout", "Round", "Floor", "Ceil"})) {
      pass(0, range_);
    } else if (op == "Gather") {
      gather();
    } else if (op == "Slice") {
      slice();
    } else if (op == "Concat") {
      concat();
    } else if (op == "Split") {
      split();
    } else if (op == "CumSum") {
      cumulative_sum();
    } else if (!move()) {
      arithmetic();
    }
  }

 private:
  void pass(size_t input, ValueRange range) {
    if (range.unconstrained() || range.common().empty()) {
      if (range.per_column.empty()) return;
    }
    sink_(input, std::move(range));
  }

  // Where the last axis stays what it was.
  ValueRange reshaped(size_t input) const {
    if (range_.per_column.empty()) return range_;
    if (last_dim(input_at(node_, input)) == range_.per_column.size()) return range_;
    return without_columns(range_);
  }

  // False: the node makes other numbers than those of its inputs.
  bool move() {
    const auto& facts = facts_of(node_);
    if (facts.movement > Movement::kSelects || !moves_numbers(node_) || output_ > 0) return false;
    bool any = false;
    for (size_t i = 0; i < node_.inputs().size(); ++i) {
      if (!facts.moves(i)) continue;
      // A Scatter keeps the columns of what it writes to.
      const bool keeps = facts.movement == Movement::kReshapes || facts.elementwise ||
                         node_.op() == "Expand" || (facts.movement == Movement::kMerges && i == 0);
      pass(i, keeps ? reshaped(i) : without_columns(range_));
      any = true;
    }
    return any;
  }

  // Of a list, only the places that the output is made of: `from[k]` is where its element k was.
  void pass_columns(size_t input, size_t length, const std::vector<int64_t>& from) {
    ValueRange range = range_;
    range.bounds = {};
    range.per_column.assign(length, {});
    for (size_t k = 0; k < from.size(); ++k) {
      const int64_t place = from[k] < 0 ? from[k] + static_cast<int64_t>(length) : from[k];
      if (place < 0 || place >= static_cast<int64_t>(length)) continue;
      ValueBounds& bounds = range.per_column[static_cast<size_t>(place)];
      bounds = intersection(bounds, at(range_, k));
    }
    pass(input, std::move(range));
  }

  std::optional<size_t> list_length(size_t input) const {
    const Tensor* tensor = input_at(node_, input);
    return rank_of(tensor) == 1 ? last_dim(tensor) : std::nullopt;
  }

  std::optional<std::vector<int64_t>> integers(size_t input) const {
    const Tensor* tensor = input_at(node_, input);
    return tensor == nullptr ? std::nullopt : constant_integers(*tensor);
  }

  void gather() {
    const auto length = list_length(0);
    const auto indices = integers(1);
    if (length && indices && !range_.mask) {
      pass_columns(0, *length, *indices);
    } else {
      pass(0, without_columns(range_));
    }
  }

  void slice() {
    const auto length = list_length(0);
    const auto starts = integers(1), ends = integers(2);
    const auto steps = input_at(node_, 4) == nullptr ? std::vector<int64_t>{1} : integers(4);
    if (!length || !starts || !ends || !steps || starts->size() != 1 || ends->size() != 1 ||
        steps->size() != 1 || steps->front() < 1 || range_.mask) {
      pass(0, without_columns(range_));
      return;
    }
    const auto size = static_cast<int64_t>(*length);
    const auto clamped = [size](int64_t place) {
      return std::clamp<int64_t>(place < 0 ? place + size : place, 0, size);
    };
    std::vector<int64_t> from;
    const int64_t step = std::min(steps->front(), size + 1);
    for (int64_t i = clamped(starts->front()); i < clamped(ends->front()); i += step) {
      from.push_back(i);
    }
    pass_columns(0, *length, from);
  }

  void concat() {
    const auto rank = rank_of(node_.outputs()[0]);
    const int64_t axis = graphsurgeon::int_attribute(node_, "axis", 0);
    const bool last = rank && (axis == -1 || axis + 1 == static_cast<int64_t>(*rank));
    size_t start = 0;
    bool known = last;
    for (size_t i = 0; i < node_.inputs().size(); ++i) {
      const auto length = last_dim(input_at(node_, i));
      if (!last || range_.per_column.empty()) {
        pass(i, reshaped(i));
      } else if (known && length && start + *length <= range_.per_column.size()) {
        ValueRange part = range_;
        const auto first = range_.per_column.begin() + static_cast<std::ptrdiff_t>(start);
        part.per_column.assign(first, first + static_cast<std::ptrdiff_t>(*length));
        pass(i, std::move(part));
        start += *length;
      } else {
        known = false;
        pass(i, without_columns(range_));
      }
    }
  }

  void split() {
    const auto length = list_length(0);
    if (!length || range_.mask) {
      pass(0, without_columns(range_));
      return;
    }
    int64_t start = 0;
    for (size_t i = 0; i < output_; ++i) {
      const auto before = last_dim(node_.outputs()[i]);
      if (!before) {
        pass(0, without_columns(range_));
        return;
      }
      start += static_cast<int64_t>(*before);
    }
    std::vector<int64_t> from;
    const size_t count = last_dim(node_.outputs()[output_]).value_or(0);
    for (size_t i = 0; i < count; ++i) from.push_back(start + static_cast<int64_t>(i));
    pass_columns(0, *length, from);
  }

  // Positions counted from a mask.
  void cumulative_sum() {
    const auto length = last_dim(input_at(node_, 0));
    const ValueBounds bounds = range_.common();
    if (!length || bounds.low > 1 || bounds.high < static_cast<double>(*length)) return;
    ValueRange range = ValueRange::mask_of_rows();
    range.reason = range_.reason;
    pass(0, std::move(range));
  }

  void pass_bounds(size_t input, ValueBounds bounds) {
    ValueRange range;
    range.bounds = bounds;
    range.whole = range_.whole;
    range.reason = range_.reason;
    pass(input, std::move(range));
  }

  void arithmetic() {
    const std::string_view op = node_.op();
    const ValueBounds out = range_.common();
    if (op == "Neg") pass_bounds(0, {-out.high, -out.low});
    if (op == "Abs" && out.low <= 0) pass_bounds(0, {-out.high, out.high});
    if (op == "Clip") clip(out);
    if (op == "Sum") {
      for (size_t i = 0; i < node_.inputs().size(); ++i)
        share_of_sum(i, out, node_.inputs().size());
    }
    if (!is_one_of(op, {"Add", "Sub", "Mul", "Div"}) || node_.inputs().size() < 2) return;
    const Tensor *a = input_at(node_, 0), *b = input_at(node_, 1);
    if (a == nullptr || b == nullptr) return;
    const auto known_a = constant_values(*a), known_b = constant_values(*b);
    if (known_a && !known_a->empty()) {
      with_constant(op, out, *known_a, 1, true);
    } else if (known_b && !known_b->empty()) {
      with_constant(op, out, *known_b, 0, false);
    } else if (a == b) {
      if (op == "Add") pass_bounds(0, {out.low / 2, out.high / 2});
    } else {
      of_variables(op, out);
    }
  }

  void clip(const ValueBounds& out) {
    const auto limit = [this](size_t input) {
      const Tensor* tensor = input_at(node_, input);
      return tensor == nullptr ? std::nullopt : constant_values(*tensor);
    };
    const auto low = limit(1), high = limit(2);
    const bool low_holds = low && low->size() == 1 && low->front() >= out.low;
    const bool high_holds = high && high->size() == 1 && high->front() <= out.high;
    if (!low_holds || !high_holds) pass_bounds(0, out);
  }

  // x op c, or c op x, for every c.
  void with_constant(std::string_view op, const ValueBounds& out, const std::vector<double>& all,
                     size_t input, bool constant_first) {
    const auto [low, high] = std::minmax_element(all.begin(), all.end());
    const double least = *low, most = *high;
    if (op == "Add") pass_bounds(input, {out.low - least, out.high - most});
    if (op == "Sub" && !constant_first) pass_bounds(input, {out.low + most, out.high + least});
    if (op == "Sub" && constant_first) pass_bounds(input, {most - out.high, least - out.low});
    if (op == "Mul" && least > 0) {
      pass_bounds(input, {out.low / (out.low > 0 ? least : most),
                          out.high / (out.high > 0 ? most : least)});
    }
    if (op == "Mul" && most < 0) {
      pass_bounds(input, {out.high / (out.high > 0 ? least : most),
                          out.low / (out.low > 0 ? most : least)});
    }
    if (op == "Div" && !constant_first && least > 0) {
      pass_bounds(input, {out.low * (out.low > 0 ? most : least),
                          out.high * (out.high > 0 ? least : most)});
    }
  }

  void share_of_sum(size_t input, const ValueBounds& out, size_t parts) {
    if (out.low > 0 || out.high < 0) return;
    const auto count = static_cast<double>(parts);
    double low = out.low / count, high = out.high / count;
    if (range_.whole) low = std::ceil(low), high = std::floor(high);
    pass_bounds(input, {low, high});
  }

  void of_variables(std::string_view op, const ValueBounds& out) {
    if (op == "Add") {
      share_of_sum(0, out, 2);
      share_of_sum(1, out, 2);
    }
    if (op == "Sub" && out.low <= 0 && out.high >= 0) {
      pass_bounds(0, {0, out.high});
      pass_bounds(1, {0, -out.low});
    }
    if (op == "Mul" && out.low <= 0 && out.high >= 1) {
      double most = std::sqrt(out.high);
      if (range_.whole) most = std::floor(most);
      pass_bounds(0, {0, most});
      pass_bounds(1, {0, most});
    }
  }

  const Node& node_;
  size_t output_;
  const ValueRange& range_;
  const RangeSink& sink_;
};

}  // namespace

void propagate_backward(const Node& node, size_t output, const ValueRange& range,
                        const RangeSink& sink) {
  if (!graphsurgeon::is_default_domain(node.domain())) return;
  Propagation(node, output, range, sink).run();
}

}  // namespace polygraphy
