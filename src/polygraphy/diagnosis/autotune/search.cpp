#include "polygraphy/diagnosis/autotune/search.h"

#include <numeric>
#include <utility>

#include "base/error.h"

namespace polygraphy {
namespace {

class Search {
 public:
  explicit Search(const MeasureCandidate& measure) : measure_(measure) {}

  const SearchResult& result() const { return result_; }
  SearchResult take() { return std::move(result_); }
  void give_up_rest() { result_.complete = false; }

  // Whether the runtime takes the candidate, which becomes the best if it is faster.
  bool attempt(const Replacements& candidate) {
    ++result_.tried;
    const std::optional<Duel> duel = measure_(result_.best, candidate);
    if (!duel) return false;
    if (duel->faster) {
      result_.best = candidate;
      result_.ratio *= duel->candidate / duel->best;
    }
    return true;
  }

  template <typename Action>
  SearchResult until_interrupted(Action action) {
    try {
      action();
    } catch (const Interrupted&) {
      result_.interrupted = true;
    }
    return take();
  }

 private:
  const MeasureCandidate& measure_;
  SearchResult result_;
};

// The next combination of as many numbers below `count`; false: it was the last.
bool advance(Replacements& chosen, size_t count) {
  for (size_t i = chosen.size(); i-- > 0;) {
    if (chosen[i] == count - chosen.size() + i) continue;
    ++chosen[i];
    for (size_t k = i + 1; k < chosen.size(); ++k) chosen[k] = chosen[k - 1] + 1;
    return true;
  }
  return false;
}

}  // namespace

SearchResult search_greedy(size_t count, const MeasureCandidate& measure) {
  Search search(measure);
  return search.until_interrupted([&] {
    for (size_t i = 0; i < count; ++i) {
      Replacements candidate = search.result().best;
      candidate.push_back(i);
      search.attempt(candidate);
    }
  });
}

SearchResult search_subsets(size_t count, const SubsetLimits& limits,
                            const MeasureCandidate& measure) {
  Search search(measure);
  // Whether the search continues behind this candidate.
  const auto attempt = [&](const Replacements& candidate, bool& taken) {
    if (search.result().tried >= limits.most) {
      search.give_up_rest();
      return false;
    }
    taken = search.attempt(candidate);
    return 1 - search.result().ratio <= limits.threshold;
  };
  return search.until_interrupted([&] {
    Replacements usable;  // alone
    bool taken = false;
    for (size_t i = 0; i < count; ++i) {
      if (!attempt({i}, taken)) return;
      if (taken) usable.push_back(i);
    }
    for (size_t size = 2; size <= usable.size(); ++size) {
      Replacements chosen(size);
      std::iota(chosen.begin(), chosen.end(), size_t{0});
      do {
        Replacements candidate;
        for (const size_t i : chosen) candidate.push_back(usable[i]);
        if (!attempt(candidate, taken)) return;
      } while (advance(chosen, usable.size()));
    }
  });
}

}  // namespace polygraphy
