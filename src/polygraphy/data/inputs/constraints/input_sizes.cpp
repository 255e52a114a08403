#include "polygraphy/data/inputs/constraints/input_sizes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/log_modules.h"
#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "polygraphy/data/inputs/constraints/infer_for.h"
#include "polygraphy/data/inputs/constraints/input_constraint.h"

namespace polygraphy {
namespace {

using graphsurgeon::Dim;
using graphsurgeon::DimList;
using graphsurgeon::Model;
using graphsurgeon::Node;

constexpr int kMostTrials = 60;
constexpr int64_t kMostLength = 1 << 20;
// Lengths for what has to fit together behind strides: an encoder and a decoder meet where each of
// some five strides of two divides the length; 224 suits models of images.
constexpr int64_t kLengthsThatFit[] = {8, 16, 32, 64, 224, 256, 512};

// A dimension of 64 times the length is seen behind the strides of a model: five of two are usual,
// as above, and a kernel needs two elements behind them.
constexpr int64_t kStrides = 64;

// An axis that is too short. The key names it whatever the shapes.
struct Shortage {
  std::string key, text;
  int64_t length, least;
};

class NodeContext final : public ConstraintContext {
 public:
  NodeContext(const Node& node, std::vector<Shortage>& found) : node_(node), found_(found) {}
  const Node& node() const override { return node_; }
  std::optional<std::vector<int64_t>> output_shape(size_t i) const override {
    if (i >= node_.outputs().size()) return std::nullopt;
    return static_shape(node_.outputs()[i]);
  }
  void constrain(size_t, ValueRange, const std::string&) override {}
  void constrain_size(size_t i, int64_t axis, int64_t least, const std::string& role) override {
    const auto length = dim(i, axis);
    if (!length || *length >= least) return;
    const std::string place = "axis " + std::to_string(axis) + " of " + name_of(i);
    found_.push_back({std::string(node_.outputs().front()->name()) + " " + place,
                      role + ", node '" + std::string(node_.name()) + "' (" +
                          std::string(node_.op()) + "), which needs " + std::to_string(least) +
                          " in " + place,
                      *length, least});
  }

 private:
  const Node& node_;
  std::vector<Shortage>& found_;
};

class Search {
 public:
  Search(const std::function<Model()>& make_model, const OrderedMap<DimList>& open,
         const OrderedMap<Shape>& given, Logger& log)
      : make_model_(make_model), open_(open), given_(given), log_(log) {
    name_lengths();
  }

  OrderedMap<Shape> run() {
    if (chosen_.empty()) return shapes();
    meet_all();
    fit();
    for (const auto& [name, reason] : reasons_) {
      log_.info(log_modules::kDataLoader,
                "Dimension '" + name + "' is " + std::to_string(chosen_[name]) + ": " + reason,
                Once::kYes);
    }
    return shapes();
  }

 private:
  // Names of open dimensions: the model's, so that one name is one length, or the dimension's own.
  void name_lengths() {
    const Model model = make_model_();
    const auto named = [&](const std::string& input, size_t axis, const Dim& dim) {
      for (const auto& tensor : model.graph->inputs()) {
        const auto dims = tensor->shape();
        if (tensor->name() != input || !dims || axis >= dims->size()) continue;
        if (!(*dims)[axis].param().empty()) return (*dims)[axis].param();
      }
      if (!dim.param().empty()) return dim.param();
      return input + "[" + std::to_string(axis) + "]";
    };
    std::map<std::string, int64_t> fixed;
    for (const auto& [input, shape] : given_) {
      for (size_t i = 0; i < shape.size(); ++i) fixed.emplace(named(input, i, {}), shape[i]);
    }
    for (const auto& [input, dims] : open_) {
      std::vector<std::string>& names = names_[input];
      for (size_t i = 0; i < dims.size(); ++i) {
        names.push_back(named(input, i, dims[i]));
        if (dims[i].is_static()) continue;
        const auto known = fixed.find(names.back());
        if (known == fixed.end()) {
          if (chosen_.emplace(names.back(), 1).second) order_.push_back(names.back());
          if (i == 0 && dims.size() > 1) batches_.insert(names.back());
        } else {
          lengths_of_others_.insert(*known);
        }
      }
    }
  }

  OrderedMap<Shape> shapes() const {
    OrderedMap<Shape> result = given_;
    for (const auto& [input, dims] : open_) {
      const std::vector<std::string>& names = names_.at(input);
      Shape shape;
      for (size_t i = 0; i < dims.size(); ++i) {
        const auto chosen = chosen_.find(names[i]);
        const auto other = lengths_of_others_.find(names[i]);
        shape.push_back(dims[i].is_static()       ? dims[i].value()
                        : chosen != chosen_.end() ? chosen->second
                                                  : other->second);
      }
      result.set(input, shape);
    }
    return result;
  }

  // Finds the constraints that fail with the current lengths, in the order of nodes.
  void try_lengths() {
    ++trials_;
    Model model = make_model_();
    infer_for(shapes(), model);
    shortages_.clear();
    for (graphsurgeon::Graph* graph : graphsurgeon::inner_graphs_first(*model.graph)) {
      for (const auto& node : graph->nodes()) {
        if (node->outputs().empty()) continue;  // folded
        NodeContext context(*node, shortages_);
        table_.add_constraints(context);
      }
    }
  }

  // The first one that may be met; null: all are met or hopeless.
  const Shortage* shortage() const {
    const auto found = std::ranges::find_if(
        shortages_, [&](const Shortage& each) { return !hopeless_.contains(each.key); });
    return found == shortages_.end() ? nullptr : &*found;
  }

  void meet_all() {
    try_lengths();
    std::map<std::string, int64_t> too_short;
    while (const Shortage* next = shortage()) {
      if (trials_ >= kMostTrials) break;
      const Shortage wanted = *next;
      if (meet(wanted, 2, too_short) || meet(wanted, kStrides, too_short)) continue;
      hopeless_.insert(wanted.key);
      try_lengths();
    }
    for (const auto& [name, length] : too_short) shorten(name, length);
  }

  // By how much this place is too short now; 0: it is long enough.
  int64_t missing(const std::string& key) {
    try_lengths();
    const auto found = std::ranges::find(shortages_, key, &Shortage::key);
    return found == shortages_.end() ? 0 : found->least - found->length;
  }

  // Doubles the first open dimension that helps. Behind strides, a few elements more change
  // nothing: a dimension does not help if `times` its length changes nothing. `too_short`: a length
  // of it that was.
  bool meet(const Shortage& wanted, int64_t times, std::map<std::string, int64_t>& too_short) {
    for (size_t i = 0; i < order_.size(); ++i) {
      int64_t& length = chosen_[order_[i]];
      const int64_t before = length;
      int64_t last = before, gap = wanted.least - wanted.length;
      for (length = std::max(before + gap, 2 * before);
           length <= kMostLength && trials_ < kMostTrials; length *= 2) {
        const int64_t left = missing(wanted.key);
        if (left == 0) {
          gap = 0;
          break;
        }
        last = length;
        if (left >= gap && length >= before * times) break;
        gap = std::min(gap, left);
      }
      if (gap > 0) {
        length = before;
        continue;
      }
      too_short[order_[i]] = last;
      reasons_[order_[i]] = wanted.text;
      std::rotate(order_.begin(), order_.begin() + static_cast<ptrdiff_t>(i),
                  order_.begin() + static_cast<ptrdiff_t>(i) + 1);
      return true;
    }
    return false;
  }

  void shorten(const std::string& name, int64_t too_short) {
    int64_t& length = chosen_[name];
    int64_t enough = length;
    while (enough - too_short > 1 && trials_ < kMostTrials) {
      length = too_short + (enough - too_short) / 2;
      try_lengths();
      (shortage() ? too_short : enough) = length;
    }
    length = enough;
  }

  // Lengthens all dimensions but batches to the first length with which all operands fit together.
  void fit() {
    const std::string misfit = first_misfit();
    if (misfit.empty()) return;
    const auto before = std::pair(chosen_, reasons_);
    for (const int64_t length : kLengthsThatFit) {
      for (auto& [name, chosen] : chosen_) {
        if (batches_.contains(name) || chosen >= length) continue;
        chosen = length;
        reasons_[name] = "with shorter ones, operands do not fit together: " + misfit;
      }
      if (first_misfit().empty()) return;
    }
    std::tie(chosen_, reasons_) = before;
  }

  std::string first_misfit() {
    Model model = make_model_();
    const std::vector<std::string> found = misfits(shapes(), model);
    return found.empty() ? std::string() : found.front();
  }

  const std::function<Model()>& make_model_;
  const OrderedMap<DimList>& open_;
  const OrderedMap<Shape>& given_;
  Logger& log_;
  ConstraintTable table_;
  std::map<std::string, std::vector<std::string>> names_;      // of each input's dimensions
  std::map<std::string, int64_t> chosen_, lengths_of_others_;  // by name
  std::vector<std::string> order_;              // of chosen_: those that helped last come first
  std::set<std::string> batches_;               // names of first dimensions
  std::map<std::string, std::string> reasons_;  // of dimensions longer than 1
  std::vector<Shortage> shortages_;             // with the lengths of the last trial
  std::set<std::string> hopeless_;              // their keys
  int trials_ = 0;
};

}  // namespace

OrderedMap<Shape> input_sizes(const std::function<Model()>& make_model,
                              const OrderedMap<DimList>& open, const OrderedMap<Shape>& given,
                              Logger& log) {
  return Search(make_model, open, given, log).run();
}

}  // namespace polygraphy
