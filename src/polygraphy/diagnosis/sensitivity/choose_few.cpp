#include "polygraphy/diagnosis/sensitivity/choose_few.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

namespace polygraphy {
namespace {

// Sets whose predictions each trial improves, and trials that do.
constexpr size_t kFollowed = 256;
constexpr size_t kMostLearned = 160;
// Sets that are considered by each estimate, where not all can be tried.
constexpr int64_t kLikely = 1024;

struct ListedSet {
  LayerBits quantized = 0;
  int64_t cost = 0;     // of what is kept
  double expected = 0;  // square of the error
};

// The cheapest first. O(2^layers).
std::vector<ListedSet> all_sets(const std::vector<int64_t>& costs) {
  std::vector<ListedSet> sets = {{.quantized = (LayerBits{1} << costs.size()) - 1}};
  for (size_t layer = 0; layer < costs.size(); ++layer) {
    std::vector<ListedSet> keeping = sets, joined;
    for (ListedSet& set : keeping) {
      set.quantized &= ~(LayerBits{1} << layer);
      set.cost += costs[layer];
    }
    joined.reserve(2 * sets.size());
    std::ranges::merge(sets, keeping, std::back_inserter(joined), {}, &ListedSet::cost,
                       &ListedSet::cost);
    sets = std::move(joined);
  }
  return sets;
}

// Sets without a cheaper one of a smaller error.
std::vector<ListedSet> frontier(const std::vector<ListedSet>& sets) {
  std::vector<ListedSet> found;
  double smallest = std::numeric_limits<double>::infinity();
  for (const ListedSet& set : sets) {
    if (!(set.expected < smallest)) continue;
    if (!found.empty() && found.back().cost == set.cost) found.pop_back();
    found.push_back(set);
    smallest = set.expected;
  }
  return found;
}

class FewSearch {
 public:
  FewSearch(const std::vector<int64_t>& costs, SetPrediction prediction,
            const std::function<Trial(const std::vector<bool>&)>& run, int64_t most)
      : prediction_(std::move(prediction)),
        run_(run),
        most_(most),
        open_(all_sets(costs)),
        was_tried_(open_.size()) {
    for (const int64_t cost : costs) best_.cost += cost;
    was_tried_.back() = true;  // nothing kept
    drop_others();
  }

  Choice choose() {
    const std::vector<double> estimates[] = {prediction_.sums_of_squares(),
                                             prediction_.sums_of_vectors()};
    for (const std::vector<double>& estimate : estimates) {
      for (ListedSet& set : open_) set.expected = estimate[set.quantized];
      bisect();
    }
    drop_unlikely(estimates);
    expect();
    if (std::ssize(open_) > left()) bisect();
    follow();
    try_rest();
    drop_others();
    return {.kept = kept(best_.quantized),
            .cheapest = open_.empty() && best_.cost <= cheapest_dropped_,
            .tried = tried_};
  }

 private:
  int64_t left() const { return most_ - tried_; }
  int64_t most_failures() const { return std::max<int64_t>(most_ / 8 * 3 + most_ % 8 * 3 / 8, 1); }
  bool gives_up() const {
    return left() <= 0 || (failed_ >= most_failures() && std::ssize(open_) > left());
  }
  bool learns() const { return prediction_.process().observations() < kMostLearned; }
  bool is_open(const ListedSet& set) const {
    return set.cost < best_.cost && !was_tried_[set.quantized];
  }
  void drop_others() {
    std::erase_if(open_, [&](const ListedSet& set) { return !is_open(set); });
  }

  std::vector<bool> kept(LayerBits quantized) const {
    std::vector<bool> result(prediction_.layers());
    for (size_t i = 0; i < result.size(); ++i) result[i] = (quantized >> i & 1) == 0;
    return result;
  }

  bool try_set(const ListedSet& set) {
    ++tried_;
    was_tried_[set.quantized] = true;
    Trial trial = run_(kept(set.quantized));
    failed_ = trial.passed ? 0 : failed_ + 1;
    if (trial.passed) best_ = set;
    if (learns()) prediction_.learn(set.quantized, std::move(trial.differences));
    return trial.passed;
  }

  // The frontier of open_: its cheapest set that passes.
  void bisect() {
    const std::vector<ListedSet> sets = frontier(open_);
    size_t begin = 0, end = sets.size();
    while (begin < end && left() > 0) {
      const size_t middle = begin + (end - begin) / 2;
      if (try_set(sets[middle])) {
        end = middle;
      } else {
        begin = middle + 1;
      }
    }
    failed_ = 0;
    drop_others();
  }

  // Those that have small errors by neither estimate.
  void drop_unlikely(std::span<const std::vector<double>> estimates) {
    const auto most = static_cast<size_t>(std::max(kLikely, left()));
    if (open_.size() <= most) return;
    std::vector<bool> likely(was_tried_.size());
    for (const std::vector<double>& estimate : estimates) {
      std::vector<LayerBits> sets;
      for (const ListedSet& set : open_) sets.push_back(set.quantized);
      std::ranges::nth_element(sets, sets.begin() + static_cast<ptrdiff_t>(most), {},
                               [&](LayerBits set) { return estimate[set]; });
      for (size_t i = 0; i < most; ++i) likely[sets[i]] = true;
    }
    std::erase_if(open_, [&](const ListedSet& set) {
      if (!likely[set.quantized]) cheapest_dropped_ = std::min(cheapest_dropped_, set.cost);
      return !likely[set.quantized];
    });
  }

  void expect() {
    const SetProcess& process = prediction_.process();
    for (ListedSet& set : open_) set.expected = process.expect(set.quantized).square();
  }

  // Tries the likeliest sets, and has each trial improve their predictions.
  void follow() {
    struct Followed {
      ListedSet set;
      SetProcess::State state;
      double square() const { return state.square(); }
    };
    std::ranges::stable_sort(open_, {}, &ListedSet::expected);
    std::vector<Followed> followed;
    for (size_t i = 0; i < std::min(kFollowed, open_.size()); ++i)
      followed.push_back({open_[i], prediction_.process().expect(open_[i].quantized)});
    while (!followed.empty() && learns() && !gives_up()) {
      try_set(std::ranges::min_element(followed, {}, &Followed::square)->set);
      drop_others();
      std::erase_if(followed, [&](const Followed& one) { return !is_open(one.set); });
      for (Followed& one : followed) prediction_.process().update(one.state);
    }
  }

  void try_rest() {
    if (gives_up()) return;
    expect();
    std::ranges::stable_sort(open_, std::ranges::greater(), &ListedSet::expected);
    while (!open_.empty() && !gives_up()) {
      const ListedSet set = open_.back();
      open_.pop_back();
      if (is_open(set)) try_set(set);
    }
  }

  SetPrediction prediction_;
  const std::function<Trial(const std::vector<bool>&)>& run_;
  const int64_t most_;
  int64_t tried_ = 1, failed_ = 0;  // sets, with nothing kept; the last ones in a row
  std::vector<ListedSet> open_;     // cheaper than best_, and not tried
  std::vector<bool> was_tried_;     // by bits
  int64_t cheapest_dropped_ = std::numeric_limits<int64_t>::max();
  ListedSet best_;
};

}  // namespace

Choice choose_few(const std::vector<int64_t>& costs, SetPrediction prediction,
                  const std::function<Trial(const std::vector<bool>& kept)>& run, int64_t most) {
  return FewSearch(costs, std::move(prediction), run, most).choose();
}

}  // namespace polygraphy
