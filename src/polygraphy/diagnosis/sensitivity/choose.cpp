#include "polygraphy/diagnosis/sensitivity/choose.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>

namespace polygraphy {
namespace {

using Set = std::vector<bool>;

class Search {
 public:
  Search(const std::vector<int64_t>& costs, const std::vector<double>& effects,
         const std::function<bool(const Set&)>& passes, int64_t most)
      : costs_(costs), effects_(effects), passes_(passes), most_(most) {}

  Choice run() {
    const Set none(costs_.size(), false);
    if (test(none)) return {.kept = none, .cheapest = true, .tried = tried_};
    best_ = shortest_prefix();
    drop_unneeded();
    const bool proved = try_cheaper();
    return {.kept = best_, .cheapest = proved, .tried = tried_};
  }

 private:
  bool test(const Set& kept) {
    ++tried_;
    return passes_(kept);
  }

  int64_t cost_of(const Set& kept) const {
    int64_t cost = 0;
    for (size_t i = 0; i < kept.size(); ++i) cost += kept[i] ? costs_[i] : 0;
    return cost;
  }

  // Errors add up as squares where layers do not know of each other.
  double worth(size_t layer) const {
    const double square = effects_[layer] * effects_[layer];
    return costs_[layer] > 0 ? square / static_cast<double>(costs_[layer])
                             : std::numeric_limits<double>::infinity();
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

  // The most expensive ones first.
  void drop_unneeded() {
    std::vector<size_t> order(costs_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return costs_[a] > costs_[b]; });
    for (const size_t layer : order) {
      if (!best_[layer] || tried_ >= most_) continue;
      best_[layer] = false;
      if (!test(best_)) best_[layer] = true;
    }
  }

  // Sets in the order of their costs: each has a largest member, in the order of costs; its
  // successors have the next layer in its place, or as well. False: some were not tried.
  bool try_cheaper() {
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
    queue.push({costs_[order[0]], {0}});
    while (!queue.empty() && queue.top().cost < limit) {
      if (tried_ >= most_) return false;
      const Entry entry = queue.top();
      queue.pop();
      Set kept(costs_.size(), false);
      for (const size_t member : entry.members) kept[order[member]] = true;
      if (test(kept)) {
        best_ = kept;
        return true;
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
    return true;
  }

  const std::vector<int64_t>& costs_;
  const std::vector<double>& effects_;
  const std::function<bool(const Set&)>& passes_;
  const int64_t most_;
  int64_t tried_ = 0;
  Set best_;
};

}  // namespace

Choice choose_kept(const std::vector<int64_t>& costs, const std::vector<double>& effects,
                   const std::function<bool(const Set&)>& passes, int64_t most) {
  return Search(costs, effects, passes, most).run();
}

}  // namespace polygraphy
