// Finds the replacements that make a model fastest. Pure: a search requests measurements, and
// measures, writes and logs nothing itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/record.h"

namespace polygraphy {

// The replacements that are made, by their numbers, ascending; empty: the unmodified model.
using Replacements = std::vector<size_t>;

struct Duel {
  double best = 0, candidate = 0;
  bool faster = false;  // is_faster()
};
constexpr auto record_of(RecordOf<Duel>) {
  using Of = Duel;
  return record<Of>("AutotuneDuel", "Two models, measured in turns.",
                    member("best", &Of::best, "The median latency of the first one, in seconds."),
                    member("candidate", &Of::candidate, "The same of the second one."),
                    member("faster", &Of::faster,
                           "The second one is faster, by more than the noise of measurement."));
}

// Measures a candidate beside the best so far. nullopt: the model cannot be made, or the runtime
// refuses it. May throw Interrupted, which ends the search.
using MeasureCandidate =
    std::function<std::optional<Duel>(const Replacements& best, const Replacements& candidate)>;

struct SearchResult {
  Replacements best;
  double ratio = 1;          // of the latencies of the best and of the unmodified model
  int64_t tried = 0;         // candidates
  bool complete = true;      // false: there are more subsets than might be tried
  bool interrupted = false;  // `best` is the best until then
};

// Adds one replacement after the other, in their order, and keeps those that make the model faster.
SearchResult search_greedy(size_t count, const MeasureCandidate& measure);

struct SubsetLimits {
  int64_t most = 1000;     // candidates
  double threshold = 0.1;  // stop at a model that is faster by more than this share
};

// Tries the subsets: the small ones first, those of one size in the order of their numbers.
// A replacement that is refused alone is in no larger subset.
SearchResult search_subsets(size_t count, const SubsetLimits& limits,
                            const MeasureCandidate& measure);

}  // namespace polygraphy
