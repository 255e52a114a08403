#include "polygraphy/model_tools/visual/layout/layered_layout.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "polygraphy/model_tools/visual/layout/layout_ranks.h"

namespace polygraphy {
namespace {

constexpr double kGap = 24;        // between neighbours of a rank
constexpr double kBendWidth = 8;   // the width of an edge in a rank that it crosses
constexpr double kBendWeight = 4;  // long edges are straight rather than nodes in the middle
constexpr int kOrderSweeps = 8;
constexpr int kPositionSweeps = 12;
constexpr size_t kBendsPerNode = 20;
constexpr size_t kMoreBends = 10000;

enum class Side { kAbove, kBelow, kBoth };

// Least squares: the positions nearest to `wanted` that do not decrease (pool adjacent violators).
std::vector<double> increasing(std::span<const double> wanted, std::span<const double> weights) {
  struct Block {
    double mean, weight;
    size_t count;
  };
  std::vector<Block> blocks;
  for (size_t i = 0; i < wanted.size(); ++i) {
    Block block{wanted[i], weights[i], 1};
    while (!blocks.empty() && blocks.back().mean > block.mean) {
      const Block& before = blocks.back();
      const double weight = before.weight + block.weight;
      block = {(before.mean * before.weight + block.mean * block.weight) / weight, weight,
               before.count + block.count};
      blocks.pop_back();
    }
    blocks.push_back(block);
  }
  std::vector<double> result;
  result.reserve(wanted.size());
  for (const Block& block : blocks) result.insert(result.end(), block.count, block.mean);
  return result;
}

class Layout {
 public:
  Layout(std::span<const double> widths, std::span<const LayoutEdge> edges)
      : nodes_(widths.size()), edges_(edges), widths_(widths.begin(), widths.end()) {
    result_.ranks = layout_ranks(nodes_, edges);
    for (const size_t rank : result_.ranks) {
      result_.rank_count = std::max(result_.rank_count, rank + 1);
    }
    ranks_of_items_ = result_.ranks;
    origins_.resize(nodes_);
    std::iota(origins_.begin(), origins_.end(), size_t{0});
  }

  LayeredLayout run() {
    add_bends();
    fill_ranks();
    for (int i = 0; i < kOrderSweeps; ++i) sweep(i, [this](auto& rank, Side s) { order(rank, s); });
    place_side_by_side();
    for (int i = 0; i < kPositionSweeps; ++i) {
      const bool last = i + 2 >= kPositionSweeps;
      sweep(i, [&](auto& rank, Side s) { place(rank, last ? Side::kBoth : s); });
    }
    finish();
    return std::move(result_);
  }

 private:
  // Edges from one node with one tensor, all downwards.
  struct Bundle {
    std::vector<size_t> edges;
    size_t last_rank = 0;
  };

  std::vector<Bundle> bundles() const {
    std::vector<Bundle> found;
    std::map<std::pair<size_t, size_t>, size_t> indices;
    for (size_t i = 0; i < edges_.size(); ++i) {
      const LayoutEdge& edge = edges_[i];
      if (result_.ranks[edge.to] <= result_.ranks[edge.from]) continue;
      const auto [at, is_new] = indices.emplace(std::pair(edge.from, edge.tensor), found.size());
      if (is_new) found.emplace_back();
      Bundle& bundle = found[at->second];
      bundle.edges.push_back(i);
      bundle.last_rank = std::max(bundle.last_rank, result_.ranks[edge.to]);
    }
    return found;
  }

  // The shortest bundles first, as long as there is room for bends.
  void add_bends() {
    routes_.resize(edges_.size());
    std::vector<Bundle> all = bundles();
    const auto length = [&](const Bundle& bundle) {
      return bundle.last_rank - result_.ranks[edges_[bundle.edges.front()].from];
    };
    std::stable_sort(all.begin(), all.end(),
                     [&](const Bundle& a, const Bundle& b) { return length(a) < length(b); });
    size_t room = nodes_ * kBendsPerNode + kMoreBends;
    for (const Bundle& bundle : all) {
      if (length(bundle) - 1 > room) break;
      room -= length(bundle) - 1;
      add_bends(bundle);
    }
    above_.resize(widths_.size());
    below_.resize(widths_.size());
    for (const auto& [upper, lower] : joined_) {
      below_[upper].push_back(lower);
      above_[lower].push_back(upper);
    }
  }

  void add_bends(const Bundle& bundle) {
    const size_t from = edges_[bundle.edges.front()].from;
    std::vector<size_t> chain = {from};
    for (size_t rank = result_.ranks[from] + 1; rank < bundle.last_rank; ++rank) {
      const size_t bend = widths_.size();
      widths_.push_back(kBendWidth);
      ranks_of_items_.push_back(rank);
      origins_.push_back(from);
      joined_.emplace_back(chain.back(), bend);
      chain.push_back(bend);
    }
    for (const size_t edge : bundle.edges) {
      const size_t crossed = result_.ranks[edges_[edge].to] - result_.ranks[from] - 1;
      joined_.emplace_back(chain[crossed], edges_[edge].to);
      routes_[edge].assign(chain.begin() + 1, chain.begin() + 1 + static_cast<ptrdiff_t>(crossed));
    }
  }

  // At first in the order of the nodes, bends where their edge begins.
  void fill_ranks() {
    std::vector<size_t> items(widths_.size());
    std::iota(items.begin(), items.end(), size_t{0});
    std::stable_sort(items.begin(), items.end(),
                     [&](size_t a, size_t b) { return origins_[a] < origins_[b]; });
    ranks_.resize(result_.rank_count);
    for (const size_t item : items) ranks_[ranks_of_items_[item]].push_back(item);
    xs_.resize(widths_.size());
    for (auto& rank : ranks_) remember_order(rank);
  }

  // While ranks are ordered, xs_ has the position in the rank.
  void remember_order(const std::vector<size_t>& rank) {
    for (size_t i = 0; i < rank.size(); ++i) xs_[rank[i]] = static_cast<double>(i);
  }

  template <typename Step>
  void sweep(int number, Step step) {
    if (number % 2 == 0) {
      for (auto& rank : ranks_) step(rank, Side::kAbove);
    } else {
      for (size_t i = ranks_.size(); i-- > 0;) step(ranks_[i], Side::kBelow);
    }
  }

  // The mean position of an item's neighbours; its own where it has none there.
  double barycentre(size_t item, Side side) const {
    double sum = 0;
    size_t count = 0;
    const auto add = [&](const std::vector<size_t>& neighbours) {
      for (const size_t other : neighbours) sum += xs_[other];
      count += neighbours.size();
    };
    if (side != Side::kBelow) add(above_[item]);
    if (side != Side::kAbove) add(below_[item]);
    return count == 0 ? xs_[item] : sum / static_cast<double>(count);
  }

  void order(std::vector<size_t>& rank, Side side) {
    std::vector<std::pair<double, size_t>> keyed;
    keyed.reserve(rank.size());
    for (const size_t item : rank) keyed.emplace_back(barycentre(item, side), item);
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 0; i < rank.size(); ++i) rank[i] = keyed[i].second;
    remember_order(rank);
  }

  // The least distances of the items of a rank from its first.
  std::vector<double> offsets(const std::vector<size_t>& rank) const {
    std::vector<double> result;
    result.reserve(rank.size());
    double at = 0;
    for (size_t i = 0; i < rank.size(); ++i) {
      if (i > 0) at += (widths_[rank[i - 1]] + widths_[rank[i]]) / 2 + kGap;
      result.push_back(at);
    }
    return result;
  }

  void place_side_by_side() {
    for (const auto& rank : ranks_) {
      const std::vector<double> at = offsets(rank);
      for (size_t i = 0; i < rank.size(); ++i) xs_[rank[i]] = at[i] - at.back() / 2;
    }
  }

  void place(const std::vector<size_t>& rank, Side side) {
    const std::vector<double> at = offsets(rank);
    std::vector<double> wanted, weights;
    for (size_t i = 0; i < rank.size(); ++i) {
      wanted.push_back(barycentre(rank[i], side) - at[i]);
      weights.push_back(rank[i] < nodes_ ? 1 : kBendWeight);
    }
    const std::vector<double> placed = increasing(wanted, weights);
    for (size_t i = 0; i < rank.size(); ++i) xs_[rank[i]] = placed[i] + at[i];
  }

  void finish() {
    double least = 0, greatest = 0;
    for (size_t item = 0; item < xs_.size(); ++item) {
      const double left = xs_[item] - widths_[item] / 2, right = xs_[item] + widths_[item] / 2;
      least = item == 0 ? left : std::min(least, left);
      greatest = item == 0 ? right : std::max(greatest, right);
    }
    for (double& x : xs_) x -= least;
    result_.width = greatest - least;
    result_.xs.assign(xs_.begin(), xs_.begin() + static_cast<ptrdiff_t>(nodes_));
    result_.bends.resize(edges_.size());
    for (size_t edge = 0; edge < edges_.size(); ++edge) {
      for (const size_t bend : routes_[edge]) result_.bends[edge].push_back(xs_[bend]);
    }
  }

  size_t nodes_;
  std::span<const LayoutEdge> edges_;
  LayeredLayout result_;
  // Items are the nodes, and behind them the bends.
  std::vector<double> widths_, xs_;
  std::vector<size_t> ranks_of_items_;
  std::vector<size_t> origins_;              // the node where an item's edge begins, or itself
  std::vector<std::vector<size_t>> routes_;  // the bends of each edge
  std::vector<std::pair<size_t, size_t>> joined_;  // items of neighbouring ranks
  std::vector<std::vector<size_t>> above_, below_;
  std::vector<std::vector<size_t>> ranks_;  // items from left to right
};

}  // namespace

LayeredLayout layered_layout(std::span<const double> widths, std::span<const LayoutEdge> edges) {
  return Layout(widths, edges).run();
}

}  // namespace polygraphy
