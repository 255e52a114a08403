#include "polygraphy/diagnosis/reduce/candidate_tests/interestingness.h"

#include <deque>
#include <utility>

namespace polygraphy {

std::optional<FailingCandidate> InterestingnessTest::first_failing(
    const Upcoming<Candidate>& batch) {
  std::deque<Candidate> drawn;  // of the batch, and not asked yet
  const auto draw = [&] {
    std::optional<Candidate> candidate = batch();
    if (candidate) drawn.push_back(*std::move(candidate));
    return candidate.has_value();
  };
  for (size_t position = 0; !drawn.empty() || draw(); ++position) {
    Candidate asked = std::move(drawn.front());
    drawn.pop_front();
    size_t given = 0;
    const auto next = [&]() -> std::optional<Candidate> {
      if (given == drawn.size() && !draw()) return std::nullopt;
      return drawn[given++];
    };
    if (fails(asked, next)) return FailingCandidate{position, std::move(asked)};
  }
  return std::nullopt;
}

}  // namespace polygraphy
