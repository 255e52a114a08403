// Results of a run for people and for programs: the tensors, their layers, the elements that differ
// most with both values, and the first wrong layer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ordered_map.h"
#include "base/record.h"
#include "graphsurgeon/ir/graph.h"
#include "numerics/magnitude_histogram.h"
#include "numerics/worst_elements.h"
#include "polygraphy/comparison/compare/comparison_observer.h"
#include "polygraphy/comparison/verdict/verdict.h"
#include "polygraphy/data/tensors/metadata.h"

namespace polygraphy {

// The node that makes a tensor.
struct Layer {
  int64_t order = 0;  // its place among the graph's nodes
  std::string name, op;
};
using Layers = OrderedMap<Layer>;  // by tensor

constexpr auto record_of(RecordOf<Layer>) {
  return record<Layer>("Layer", "A node of the model.",
                       member("name", &Layer::name, "Its name; may be empty."),
                       member("op", &Layer::op, "Its operator."),
                       count("index", &Layer::order, "Its place among the nodes of the graph."));
}

// Of the outermost graph. O(nodes).
Layers layers_of(const graphsurgeon::Graph& graph);

// Facts of a report about the whole run.
struct ReportFacts {
  std::string command, model;
  std::string status;  // "PASSED", "FAILED", "NOT COMPARED", or why the run was given up
  std::optional<Verdict> verdict;                          // of a run to its end
  std::vector<std::pair<std::string, std::string>> files;  // other saved files: (kind, path)
};

// Collects while a run goes on: memory grows with the number of tensors, not with iterations.
class ComparisonReport : public ComparisonObserver {
 public:
  struct Tensor {
    std::string name1;
    TensorInfo info0, info1;
    int64_t iterations = 0, failed = 0;
    int64_t iteration = 0;  // the worst one, of which all below is
    bool passed = true;
    double greatest = 0;
    std::vector<OutputResult> results = {};  // of each comparison function
    std::vector<ElementDifference> worst = {};
    std::optional<MagnitudeHistogram> differences = {};  // for failing tensors, if requested
    std::string heatmap = {};  // SVG of the differences, for the worst ones, if requested
  };
  struct Pair {
    std::string runner0, runner1;
    OrderedMap<Tensor> tensors = {};
    OrderedMap<std::string> unpaired = {};  // outputs that one runner lacks: whose they are
  };
  // Outputs of one runner that were looked at for NaNs and infinities.
  struct Validated {
    int64_t iterations = 0, invalid = 0;
    int64_t first = 0;  // the first iteration in which it was not valid
  };
  using ValidatedOutputs = OrderedMap<Validated>;  // by output

  explicit ComparisonReport(Layers layers = {}, size_t elements = 10)
      : layers_(std::move(layers)), elements_(elements) {}

  // From now on, differences of failing tensors are counted by magnitude, and those of the worst
  // kDrawn tensors drawn: up to three passes more for each.
  static constexpr size_t kDrawn = 3;
  void count_differences() { counts_differences_ = true; }

  void compared(const ComparedOutput& output) override;
  void unpaired(std::string_view runner0, std::string_view runner1, std::string_view owner,
                std::string_view output) override;
  void validated(int64_t iteration, std::string_view runner, std::string_view output,
                 bool valid) override;

  const std::vector<Pair>& pairs() const { return pairs_; }
  // Outputs were looked at for NaNs and infinities.
  bool validates() const { return !validated_.empty(); }
  const OrderedMap<ValidatedOutputs>& validated_outputs() const { return validated_; }  // by runner
  // Null: no layer makes it, or that is not known.
  const Layer* layer(const std::string& tensor) const { return layers_.find(tensor); }
  // Names in the order of the graph; names that no layer makes come last.
  template <typename T>
  std::vector<const typename OrderedMap<T>::Entry*> in_order(const OrderedMap<T>& tensors) const;

  // For reading.
  std::string text(const ReportFacts& facts) const;

 private:
  void write_validated(std::string& out, const std::string& runner,
                       const ValidatedOutputs& outputs) const;
  Pair& pair_of(std::string_view runner0, std::string_view runner1);
  void write_pair(std::string& out, const Pair& pair) const;
  void write_tensor(std::string& out, const Pair& pair, const std::string& name,
                    const Tensor& tensor) const;

  static void draw(const Array& a, const Array& b, Pair& pair, Tensor& tensor,
                   std::string_view name);

  Layers layers_;
  size_t elements_;
  bool counts_differences_ = false;
  std::vector<Pair> pairs_;
  OrderedMap<ValidatedOutputs> validated_;
};

template <typename T>
std::vector<const typename OrderedMap<T>::Entry*> ComparisonReport::in_order(
    const OrderedMap<T>& tensors) const {
  std::vector<const typename OrderedMap<T>::Entry*> sorted;
  for (const auto& entry : tensors) sorted.push_back(&entry);
  const auto place = [this](const auto* entry) {
    const Layer* made_by = layer(entry->first);
    return made_by ? made_by->order : std::numeric_limits<int64_t>::max();
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const auto* a, const auto* b) { return place(a) < place(b); });
  return sorted;
}

}  // namespace polygraphy
