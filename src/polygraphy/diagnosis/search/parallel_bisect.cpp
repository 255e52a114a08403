#include "polygraphy/diagnosis/search/parallel_bisect.h"

#include <deque>
#include <numeric>
#include <utility>
#include <vector>

#include "polygraphy/diagnosis/search/bisection.h"

namespace polygraphy {
namespace {

using Range = ParallelBisect::Range;

// The two questions about a range, and the range that their answers leave.
class BisectionStep {
 public:
  explicit BisectionStep(Range range) : range_(range) {}

  // The first half, with all before it.
  size_t prefix() const { return middle_of(range_.passing, range_.failing); }
  // The first halves of both halves, with all before them.
  Part front_halves() const {
    Part part = first(first_quarter());
    for (size_t i = prefix(); i < third_quarter(); ++i) part.push_back(i);
    return part;
  }
  Range answered(bool in_first_half, bool in_front_half) const {
    Range left = range_;
    (in_first_half ? left.failing : left.passing) = prefix();
    (in_front_half ? left.failing : left.passing) =
        in_first_half ? first_quarter() : third_quarter();
    return left;
  }

  static Part first(size_t size) {
    Part part(size);
    std::iota(part.begin(), part.end(), size_t{0});
    return part;
  }
  static bool is_needed(Range range) { return range.failing - range.passing > 3; }

 private:
  size_t first_quarter() const { return middle_of(range_.passing, prefix()); }
  size_t third_quarter() const { return middle_of(prefix(), range_.failing); }

  Range range_;
};

// Each position alone, the last first.
std::vector<Part> alone(Range range) {
  std::vector<Part> parts;
  for (size_t i = range.failing; i-- > range.passing;) parts.push_back({i});
  return parts;
}

// The questions about each of these ranges, then about the ranges that they may leave.
Upcoming<Part> questions_of(std::deque<Range> ranges) {
  return
      [ranges = std::move(ranges), questions = Upcoming<Part>()]() mutable -> std::optional<Part> {
        while (true) {
          if (std::optional<Part> question = take_next(questions)) return question;
          if (ranges.empty()) return std::nullopt;
          const Range range = ranges.front();
          ranges.pop_front();
          if (!BisectionStep::is_needed(range)) {
            questions = in_order(alone(range));
            continue;
          }
          const BisectionStep step(range);
          questions = in_order<Part>({BisectionStep::first(step.prefix()), step.front_halves()});
          for (const bool first : {false, true}) {
            for (const bool front : {false, true}) ranges.push_back(step.answered(first, front));
          }
        }
      };
}

}  // namespace

bool ParallelBisect::prefix_fails(size_t size, const Upcoming<Part>& next) {
  if (size == most_) return true;
  const auto [known, is_new] = prefixes_.try_emplace(size, false);
  if (is_new) known->second = fails_(BisectionStep::first(size), next);
  return known->second;
}

size_t ParallelBisect::bisect(size_t passing, size_t failing) {
  while (failing - passing > 1) {
    const size_t middle = middle_of(passing, failing);
    const bool fails = prefix_fails(
        middle, made_of<Part, size_t>(middles_after(passing, failing), BisectionStep::first));
    (fails ? failing : passing) = middle;
  }
  return failing;
}

void ParallelBisect::narrow() {
  while (BisectionStep::is_needed(likely_)) {
    const BisectionStep step(likely_);
    const Upcoming<Part> next = questions_of({likely_});
    next();  // prefix_fails() below tests this one
    const bool in_first_half = prefix_fails(step.prefix(), next);
    const bool in_front_half = fails_(
        step.front_halves(),
        questions_of({step.answered(in_first_half, false), step.answered(in_first_half, true)}));
    likely_ = step.answered(in_first_half, in_front_half);
  }
}

std::optional<size_t> ParallelBisect::find_one() {
  narrow();
  const std::vector<Part> parts = alone(likely_);
  for (size_t i = 0; i < parts.size(); ++i) {
    if (fails_(parts[i], in_order(parts, i + 1))) return parts[i].front();
  }
  return std::nullopt;
}

Upcoming<Part> ParallelBisect::first_questions(size_t most) {
  return questions_of({{0, most}});
}

size_t ParallelBisect::prove() {
  const size_t likely = bisect(likely_.passing, likely_.failing);
  const Part before = BisectionStep::first(likely - 1);
  if (prefix_fails(likely, in_order<Part>({before})) && (likely == 1 || !prefix_fails(likely - 1)))
    return likely;
  size_t passing = 0, failing = most_;
  for (const auto& [size, fails] : prefixes_) {
    if (fails) {
      failing = size;
      break;
    }
    passing = size;
  }
  return bisect(passing, failing);
}

}  // namespace polygraphy
