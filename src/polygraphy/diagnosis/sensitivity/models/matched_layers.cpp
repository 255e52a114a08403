#include "polygraphy/diagnosis/sensitivity/models/matched_layers.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "base/arrays/convert.h"
#include "graphsurgeon/diff/alignment.h"
#include "polygraphy/diagnosis/sensitivity/models/quantized_sites.h"
#include "polygraphy/diagnosis/sensitivity/output_error.h"

namespace polygraphy {
namespace {

// Weights of one layer are closer than those of two.
constexpr double kClosest = 0.5;

bool same_name(std::string_view quantized, std::string_view original) {
  if (quantized == original) return true;
  if (original.empty() || !quantized.starts_with(original)) return false;
  const std::string_view rest = quantized.substr(original.size());
  for (const std::string_view suffix :
       {"_quant", "_quantized", "_Q4", "_Q8", "_Q4G", "_matmul_quant", "_MatMul_quant",
        "_MatMul_Q4", "_MatMulNBits"}) {
    if (rest == suffix) return true;
  }
  return false;
}

// A weight lies as its operator reads it: axes say which one lies the other way round, even of a
// square matrix, and values do not matter.
bool lies_transposed(const QuantizedLayer& layer, const Site& site) {
  return layer.weight.rank() == 2 && layer.reduced_axis != site.reduced_axis;
}

Shape shape_of(const QuantizedLayer& layer, const Site& site) {
  const Shape& shape = layer.weight.shape();
  return lies_transposed(layer, site) ? Shape(shape.rbegin(), shape.rend()) : shape;
}

Array weight_of(const QuantizedLayer& layer, const Site& site) {
  const std::vector<int64_t> order = {1, 0};
  return lies_transposed(layer, site) ? layer.weight.transposed(order).contiguous_aligned()
                                      : layer.weight;
}

class Matching {
 public:
  Matching(const graphsurgeon::Model& reference, const std::vector<Site>& sites,
           const graphsurgeon::Model& quantized)
      : sites_(sites),
        layers_(quantized_layers(quantized)),
        taken_(layers_.size(), false),
        found_(sites.size(), kNone) {
    const auto tensors = reference.graph->tensor_map();
    for (const Site& site : sites) weights_.push_back(tensors.at(site.weight)->values());
    graphsurgeon::TensorPairs pairs;
    aligned_ = graphsurgeon::align(*reference.graph, *quantized.graph, {}, pairs).to_b;
  }

  std::vector<Site> run() {
    for_unmatched([&](size_t site) { return named(site); });
    for_unmatched([&](size_t site) { return at_its_place(site, kClosest); });
    for_unmatched([&](size_t site) { return closest(site); });
    for_unmatched(
        [&](size_t site) { return at_its_place(site, std::numeric_limits<double>::infinity()); });
    std::vector<Site> matched;
    for (size_t i = 0; i < sites_.size(); ++i) {
      if (found_[i] != kNone) matched.push_back(with_layer(i, layers_[found_[i]]));
    }
    return matched;
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;

  template <typename Finder>
  void for_unmatched(Finder find) {
    for (size_t i = 0; i < sites_.size(); ++i) {
      if (found_[i] != kNone) continue;
      found_[i] = find(i);
      if (found_[i] != kNone) taken_[found_[i]] = true;
    }
  }

  static bool is_same_weight(const QuantizedLayer& one, const QuantizedLayer& other) {
    return one.part == other.part && !one.stored.empty() && one.stored == other.stored &&
           one.reduced_axis == other.reduced_axis && one.weight.shape() == other.weight.shape();
  }

  // A matched site of several nodes has this weight, so that all nodes with it are its own.
  bool is_of_matched(size_t layer) const {
    for (size_t i = 0; i < sites_.size(); ++i) {
      if (found_[i] != kNone && sites_[i].nodes.size() > 1 &&
          is_same_weight(layers_[found_[i]], layers_[layer]))
        return true;
    }
    return false;
  }

  bool may_be(size_t site, size_t layer) const {
    return !taken_[layer] && layers_[layer].part == sites_[site].part &&
           shape_of(layers_[layer], sites_[site]) == sites_[site].shape;
  }

  double distance(size_t site, size_t layer) const {
    ErrorSums sums;
    add_error(weights_[site], weight_of(layers_[layer], sites_[site]), sums);
    return sums.relative();
  }

  bool is_named(size_t site, size_t layer) const {
    return std::ranges::any_of(sites_[site].nodes, [&](const SiteNode& node) {
      return same_name(layers_[layer].node, node.name);
    });
  }

  size_t named(size_t site) const {
    for (size_t k = 0; k < layers_.size(); ++k) {
      if (may_be(site, k) && is_named(site, k)) return k;
    }
    return kNone;
  }

  size_t at_its_place(size_t site, double farthest) const {
    const size_t aligned = aligned_layer(site);
    const size_t place = aligned == kNone ? in_order(site) : aligned;
    return place != kNone && distance(site, place) < farthest ? place : kNone;
  }

  // By the structure of the models.
  size_t aligned_layer(size_t site) const {
    for (const SiteNode& node : sites_[site].nodes) {
      for (size_t k = 0; k < layers_.size(); ++k) {
        if (layers_[k].position == aligned_[node.position] && may_be(site, k)) return k;
      }
    }
    return kNone;
  }

  // Quantisers keep the order of nodes: of as many that are left with this shape in both models,
  // the one with as many before it. A weight counts as often as nodes read it.
  size_t in_order(size_t site) const {
    std::vector<size_t> nodes, layers;
    for (size_t i = 0; i < sites_.size(); ++i) {
      const bool alike =
          sites_[i].shape == sites_[site].shape && sites_[i].part == sites_[site].part;
      if (found_[i] != kNone || !alike) continue;
      for (const SiteNode& node : sites_[i].nodes) nodes.push_back(node.position);
    }
    for (size_t k = 0; k < layers_.size(); ++k) {
      if (may_be(site, k) && !is_of_matched(k)) layers.push_back(k);
    }
    if (nodes.size() != layers.size()) return kNone;
    const size_t first = sites_[site].nodes.front().position;
    return layers[static_cast<size_t>(
        std::ranges::count_if(nodes, [&](size_t position) { return position < first; }))];
  }

  size_t closest(size_t site) const {
    double least = kClosest;
    size_t found = kNone;
    for (size_t k = 0; k < layers_.size(); ++k) {
      if (!may_be(site, k) || is_of_matched(k)) continue;
      const double away = distance(site, k);
      if (away >= least) continue;
      least = away;
      found = k;
    }
    return found;
  }

  // Of a node whose weight one or several sites have: that with its name, else the first. kNone:
  // the node is the layer of a site by itself.
  size_t owner_of(size_t layer) const {
    if (taken_[layer]) return kNone;
    size_t first = kNone;
    for (size_t i = 0; i < sites_.size(); ++i) {
      if (found_[i] == kNone || !is_same_weight(layers_[found_[i]], layers_[layer])) continue;
      if (is_named(i, layer)) return i;
      if (first == kNone) first = i;
    }
    return first;
  }

  Site with_layer(size_t site, const QuantizedLayer& layer) const {
    Site matched = sites_[site];
    matched.original = weights_[site].contiguous_aligned();
    matched.rounded = convert(weight_of(layer, matched), matched.dtype);
    matched.rounds_input = layer.rounds_input;
    matched.quantized_bytes = layer.bytes;
    matched.transposed = lies_transposed(layer, matched);
    for (size_t k = 0; k < layers_.size(); ++k) {
      if (k == found_[site] || (is_same_weight(layers_[k], layer) && owner_of(k) == site))
        matched.quantized_nodes.push_back(layers_[k].position);
    }
    return matched;
  }

  const std::vector<Site>& sites_;
  const std::vector<QuantizedLayer> layers_;
  std::vector<bool> taken_;
  std::vector<size_t> found_;  // of each site: its layer
  std::vector<Array> weights_;
  std::vector<uint32_t> aligned_;
};

}  // namespace

std::vector<Site> match_layers(const graphsurgeon::Model& reference, const std::vector<Site>& sites,
                               const graphsurgeon::Model& quantized) {
  return Matching(reference, sites, quantized).run();
}

}  // namespace polygraphy
