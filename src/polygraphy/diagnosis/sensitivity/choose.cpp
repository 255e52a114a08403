#include "polygraphy/diagnosis/sensitivity/choose.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <set>

namespace polygraphy {
namespace {

using Set = std::vector<bool>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Layers of a model whose sets can all be listed.
constexpr size_t kFewLayers = 16;

struct Candidate {
  Set kept;
  int64_t cost = 0;
  double expected = 0;  // sum of squares
};

// Sets that are cheaper than another one.
struct CheaperSets {
  std::vector<Candidate> sets;
  bool all = false;
};

class Search {
 public:
  Search(const std::vector<int64_t>& costs, const std::vector<double>& effects,
         const std::function<bool(const Set&)>& passes, int64_t most)
      : costs_(costs), passes_(passes), most_(most) {
    for (const double effect : effects)
      squares_.push_back(effect >= 0 ? effect * effect : kInfinity);
  }

  Choice run() {
    const Set none(costs_.size(), false);
    if (test(none)) return {.kept = none, .cheapest = true, .tried = tried()};
    best_ = shortest_prefix();
    drop_unneeded();
    const bool proved = try_cheaper();
    return {.kept = best_, .cheapest = proved, .tried = tried()};
  }

 private:
  int64_t tried() const { return std::ssize(was_tried_); }
  bool has_few() const { return costs_.size() <= kFewLayers; }

  bool test(const Set& kept) {
    was_tried_.insert(kept);
    const bool passed = passes_(kept);
    if (!passed) smallest_failing_ = std::min(smallest_failing_, expected(kept));
    return passed;
  }

  int64_t cost_of(const Set& kept) const {
    int64_t cost = 0;
    for (size_t i = 0; i < kept.size(); ++i) cost += kept[i] ? costs_[i] : 0;
    return cost;
  }

  // Errors add up as squares where layers do not know of each other.
  double expected(const Set& kept) const {
    double sum = 0;
    for (size_t i = 0; i < kept.size(); ++i) sum += kept[i] ? 0 : squares_[i];
    return sum;
  }

  double worth(size_t layer) const {
    return costs_[layer] > 0 ? squares_[layer] / static_cast<double>(costs_[layer]) : kInfinity;
  }

  Set shortest_prefix() {
    std::vector<size_t> order(costs_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return worth(a) > worth(b); });
    const auto prefix = [&](size_t length) {
      Set kept(costs_.size(), false);
      for (size_t i = 0; i < length; ++i) kept[order[i]] = true;
      return kept;
    };
    size_t fails = 0, passes = order.size();
    while (passes - fails > 1) {
      const size_t middle = fails + (passes - fails) / 2;
      (test(prefix(middle)) ? passes : fails) = middle;
    }
    return prefix(passes);
  }

  // The most expensive ones first; of many, unless less than without them has failed.
  void drop_unneeded() {
    std::vector<size_t> order(costs_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return costs_[a] > costs_[b]; });
    for (const size_t layer : order) {
      if (!best_[layer] || tried() >= most_) continue;
      best_[layer] = false;
      const bool seems_needed = !has_few() && expected(best_) >= smallest_failing_;
      if (seems_needed || !test(best_)) best_[layer] = true;
    }
  }

  // Those that were not tried, of the lowest costs, at most `most`: each has a largest member, in
  // the order of costs; its successors have the next layer in its place, or as well.
  CheaperSets cheaper(size_t most) const {
    std::vector<size_t> order(costs_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return costs_[a] < costs_[b]; });
    struct Entry {
      int64_t cost;
      std::vector<size_t> members;  // positions in `order`, ascending
      bool operator>(const Entry& other) const {
        return cost != other.cost ? cost > other.cost : members > other.members;
      }
    };
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    const int64_t limit = cost_of(best_);
    CheaperSets found;
    queue.push({costs_[order[0]], {0}});
    while (!queue.empty() && queue.top().cost < limit) {
      const Entry entry = queue.top();
      queue.pop();
      Set kept(costs_.size(), false);
      for (const size_t member : entry.members) kept[order[member]] = true;
      if (!was_tried_.contains(kept)) {
        if (found.sets.size() == most) return found;
        found.sets.push_back({kept, entry.cost, expected(kept)});
      }
      const size_t last = entry.members.back();
      if (last + 1 == order.size()) continue;
      Entry more = entry, other = entry;
      more.members.push_back(last + 1);
      more.cost += costs_[order[last + 1]];
      other.members.back() = last + 1;
      other.cost += costs_[order[last + 1]] - costs_[order[last]];
      queue.push(std::move(more));
      queue.push(std::move(other));
    }
    found.all = true;
    return found;
  }

  // False: there are too many of them.
  bool try_cheaper() {
    const int64_t left = std::max<int64_t>(most_ - tried(), 0);
    CheaperSets found = cheaper(has_few() ? size_t{1} << kFewLayers : static_cast<size_t>(left));
    if (!found.all) return false;
    std::ranges::stable_sort(found.sets, {}, &Candidate::expected);
    for (const Candidate& set : found.sets) {
      if (set.cost >= cost_of(best_)) continue;
      if (tried() >= most_) return false;
      if (test(set.kept)) best_ = set.kept;
    }
    return true;
  }

  const std::vector<int64_t>& costs_;
  std::vector<double> squares_;
  const std::function<bool(const Set&)>& passes_;
  const int64_t most_;
  std::set<Set> was_tried_;
  double smallest_failing_ = kInfinity;  // expected() of tried sets
  Set best_;
};

}  // namespace

Choice choose_kept(const std::vector<int64_t>& costs, const std::vector<double>& effects,
                   const std::function<bool(const Set&)>& passes, int64_t most) {
  return Search(costs, effects, passes, most).run();
}

}  // namespace polygraphy
