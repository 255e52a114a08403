#include "polygraphy/model_tools/visual/layout/layered_layout.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "polygraphy/model_tools/visual/layout/layout_ranks.h"

namespace polygraphy {
namespace {

constexpr double kGap = 24;        // between neighbours of a rank
constexpr double kBendWidth = 8;   // the width of an edge in a rank that it crosses
constexpr double kBendWeight = 4;  // long edges are straight rather than nodes in the middle
// Of nodes that depend on an input. Constants make way for them.
constexpr double kMainWeight = 30;
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
  Layout(std::span<const double> widths, std::span<const LayoutEdge> edges,
         std::span<const size_t> inputs)
      : nodes_(widths.size()), edges_(edges), widths_(widths.begin(), widths.end()) {
    main_ = dependents(nodes_, edges, inputs);
    result_.ranks = layout_ranks(nodes_, edges, main_);
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
    straighten_chains();
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
      main_.push_back(main_[from]);
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

  // The mean position of an item's neighbours; its own where it has none there. Constants do not
  // decide where their reader stands.
  double barycentre(size_t item, Side side) const {
    double sum = 0;
    size_t count = 0;
    const auto add = [&](const std::vector<size_t>& neighbours) {
      for (const size_t other : neighbours) {
        if (main_[item] && !main_[other]) continue;
        sum += xs_[other];
        ++count;
      }
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
      weights.push_back(rank[i] >= nodes_ ? kBendWeight : main_[rank[i]] ? kMainWeight : 1);
    }
    const std::vector<double> placed = increasing(wanted, weights);
    for (size_t i = 0; i < rank.size(); ++i) xs_[rank[i]] = placed[i] + at[i];
  }

  // The only item above `item` on the way of the inputs; nullopt: there are several, or none.
  std::optional<size_t> only_above(size_t item) const {
    std::optional<size_t> found;
    for (const size_t other : above_[item]) {
      if (main_[item] && !main_[other]) continue;
      if (found) return std::nullopt;
      found = other;
    }
    return found;
  }

  // Items of which each is the only one below the other, from above.
  std::vector<std::vector<size_t>> chains() const {
    std::vector<std::vector<size_t>> found;
    std::vector<bool> taken(widths_.size());
    for (const auto& rank : ranks_) {
      for (const size_t top : rank) {
        if (taken[top]) continue;
        std::vector<size_t> chain = {top};
        while (below_[chain.back()].size() == 1 &&
               only_above(below_[chain.back()].front()) == chain.back())
          chain.push_back(below_[chain.back()].front());
        for (const size_t item : chain) taken[item] = true;
        if (chain.size() > 1) found.push_back(std::move(chain));
      }
    }
    return found;
  }

  // Chains get one position, the longest first; other items make way for them.
  void straighten_chains() {
    places_.resize(widths_.size());
    for (const auto& rank : ranks_) {
      for (size_t i = 0; i < rank.size(); ++i) places_[rank[i]] = i;
    }
    straight_.resize(widths_.size());
    std::vector<std::vector<size_t>> all = chains();
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.size() > b.size(); });
    for (const std::vector<size_t>& chain : all) straighten(chain);
  }

  void straighten(const std::vector<size_t>& chain) {
    double least = -std::numeric_limits<double>::infinity(), most = -least, sum = 0;
    for (const size_t item : chain) {
      least = std::max(least, nearest(item, -1));
      most = std::min(most, nearest(item, 1));
      sum += xs_[item];
    }
    if (least > most) return;
    const double x = std::clamp(sum / static_cast<double>(chain.size()), least, most);
    for (const size_t item : chain) {
      xs_[item] = x;
      straight_[item] = true;
      push(item, -1);
      push(item, 1);
    }
  }

  // Calls `visit` for the items beside this one on a side (-1 or 1), the nearest first, with their
  // distance from the item before, while it returns true.
  template <typename Visit>
  void walk(size_t item, int side, Visit visit) const {
    const std::vector<size_t>& rank = ranks_[ranks_of_items_[item]];
    auto place = static_cast<ptrdiff_t>(places_[item]) + side;
    for (size_t last = item; place >= 0 && place < static_cast<ptrdiff_t>(rank.size());
         place += side) {
      const size_t other = rank[static_cast<size_t>(place)];
      if (!visit(other, (widths_[other] + widths_[last]) / 2 + kGap)) return;
      last = other;
    }
  }

  // How far an item may go to a side: up to items of straight chains, with all others between.
  double nearest(size_t item, int side) const {
    double limit = side * std::numeric_limits<double>::infinity(), gap = 0;
    walk(item, side, [&](size_t other, double distance) {
      gap += distance;
      if (straight_[other]) limit = xs_[other] - side * gap;
      return !straight_[other];
    });
    return limit;
  }

  void push(size_t item, int side) {
    double at = xs_[item];
    walk(item, side, [&](size_t other, double distance) {
      at += side * distance;
      if (straight_[other] || side * (xs_[other] - at) >= 0) return false;
      xs_[other] = at;
      return true;
    });
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
  std::vector<bool> main_;                  // items that depend on an input of the graph
  std::vector<size_t> places_;              // of items in their ranks
  std::vector<bool> straight_;              // items of chains with one position
};

}  // namespace

LayeredLayout layered_layout(std::span<const double> widths, std::span<const LayoutEdge> edges,
                             std::span<const size_t> inputs) {
  return Layout(widths, edges, inputs).run();
}

}  // namespace polygraphy
