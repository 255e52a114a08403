#include "polygraphy/data/inputs/constraints/input_sizes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
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
    std::set<std::string> hopeless;
    while (!chosen_.empty() && trials_ < kMostTrials) {
      const std::vector<Shortage> shortages = try_lengths();
      const auto next = std::find_if(shortages.begin(), shortages.end(),
                                     [&](const auto& s) { return !hopeless.contains(s.key); });
      if (next == shortages.end()) break;
      if (!meet(*next)) hopeless.insert(next->key);
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
          chosen_.emplace(names.back(), 1);
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

  // The constraints that fail with the current lengths, in the order of nodes.
  std::vector<Shortage> try_lengths() {
    ++trials_;
    Model model = make_model_();
    infer_for(shapes(), model);
    std::vector<Shortage> found;
    for (graphsurgeon::Graph* graph : graphsurgeon::inner_graphs_first(*model.graph)) {
      for (const auto& node : graph->nodes()) {
        if (node->outputs().empty()) continue;  // folded
        NodeContext context(*node, found);
        table_.add_constraints(context);
      }
    }
    return found;
  }

  // By how much this place is too short; 0: it is long enough.
  int64_t missing(const std::string& key) {
    for (const Shortage& shortage : try_lengths()) {
      if (shortage.key == key) return shortage.least - shortage.length;
    }
    return 0;
  }

  // Lengthens the first open dimension that helps, by no more than it takes.
  bool meet(const Shortage& shortage) {
    const int64_t gap = shortage.least - shortage.length;
    for (auto& [name, length] : chosen_) {
      const int64_t before = length;
      length = before + gap;
      int64_t left = missing(shortage.key);
      if (left >= gap) {
        length = before;
        continue;
      }
      int64_t too_short = before;
      while (left > 0 && length < kMostLength && trials_ < kMostTrials) {
        too_short = length;
        length *= 2;
        left = missing(shortage.key);
      }
      if (left > 0) {
        length = before;
        return false;
      }
      // Where one element more is one element more there, the first try was the least.
      int64_t enough = length;
      const bool exact = too_short == before && one_for_one(shortage.key, name, enough);
      while (!exact && enough - too_short > 1 && trials_ < kMostTrials) {
        length = too_short + (enough - too_short) / 2;
        (missing(shortage.key) > 0 ? too_short : enough) = length;
      }
      length = enough;
      log_.info(log_modules::kDataLoader,
                "Dimension '" + name + "' is " + std::to_string(length) + ": " + shortage.text,
                Once::kYes);
      return true;
    }
    return false;
  }

  bool one_for_one(const std::string& key, const std::string& name, int64_t enough) {
    chosen_[name] = enough - 1;
    const bool least = missing(key) > 0;
    chosen_[name] = enough;
    return least;
  }

  const std::function<Model()>& make_model_;
  const OrderedMap<DimList>& open_;
  const OrderedMap<Shape>& given_;
  Logger& log_;
  ConstraintTable table_;
  std::map<std::string, std::vector<std::string>> names_;      // of each input's dimensions
  std::map<std::string, int64_t> chosen_, lengths_of_others_;  // by name
  int trials_ = 0;
};

}  // namespace

OrderedMap<Shape> input_sizes(const std::function<Model()>& make_model,
                              const OrderedMap<DimList>& open, const OrderedMap<Shape>& given,
                              Logger& log) {
  return Search(make_model, open, given, log).run();
}

}  // namespace polygraphy
