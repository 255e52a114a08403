#include "polygraphy/diagnosis/reduce/candidate_tests/lookahead.h"

#include <algorithm>
#include <queue>
#include <set>
#include <utility>

#include "base/error.h"

namespace polygraphy {
namespace {

// How far ahead is looked for what is certain: so many candidates for each that is wanted.
constexpr size_t kHorizon = 4;
// Of an answer that the search itself expects.
constexpr double kExpected = 0.95;

struct Enough {};  // ends a search

class GuessedTest : public InterestingnessTest {
 public:
  using Known = std::function<std::optional<bool>(const Candidate&)>;
  explicit GuessedTest(Known answer) : answer_(std::move(answer)) {}
  bool fails(const Candidate& candidate) override {
    const std::optional<bool> answer = answer_(candidate);
    if (!answer) throw Enough();
    return *answer;
  }

 private:
  Known answer_;
};

}  // namespace

// `open` throws Enough to end it.
void Lookahead::run(const std::map<std::string, bool>& assumed, const Answer& open) const {
  GuessedTest test([&](const Candidate& candidate) -> std::optional<bool> {
    if (const auto known = known_(candidate.key)) return known;
    const auto found = assumed.find(candidate.key);
    return found == assumed.end() ? open(candidate) : found->second;
  });
  try {
    search_(test);
  } catch (const Enough&) {
    return;
  } catch (const Interrupted&) {
    throw;
  } catch (const Error&) {
    return;  // a wrong guess may lead where nothing can be made
  }
}

std::vector<Lookahead::Open> Lookahead::on_the_way(bool fails, size_t most) const {
  std::vector<Open> found;
  std::map<std::string, bool> assumed;
  run({}, [&](const Candidate& candidate) {
    const auto again = assumed.find(candidate.key);
    if (again != assumed.end()) return again->second;
    if (found.size() == most) throw Enough();
    found.push_back({candidate.key, assumed});
    return assumed[candidate.key] = candidate.likely.value_or(fails);
  });
  return found;
}

std::vector<Lookahead::Open> Lookahead::next(size_t count, double fails) const {
  std::vector<Open> result = on_the_way(true, kHorizon * count);
  {
    std::set<std::string> other;
    for (const Open& open : on_the_way(false, kHorizon * count)) other.insert(open.key);
    std::erase_if(result, [&](const Open& open) { return !other.contains(open.key); });
  }
  if (result.size() > count) result.resize(count);

  struct Guess {
    double probability;
    size_t number;  // the earlier one of equals
    std::map<std::string, bool> assumed;
    bool operator<(const Guess& other) const {
      return std::pair(probability, -static_cast<double>(number)) <
             std::pair(other.probability, -static_cast<double>(other.number));
    }
  };
  std::priority_queue<Guess> guesses;
  guesses.push({1, 0, {}});
  for (size_t runs = 0; result.size() < count && !guesses.empty() && runs < 8 * count; ++runs) {
    const Guess guess = guesses.top();
    guesses.pop();
    std::optional<Candidate> reached;
    run(guess.assumed, [&](const Candidate& candidate) -> bool {
      reached = {.key = candidate.key, .about = {}, .make = {}, .likely = candidate.likely};
      throw Enough();
    });
    if (!reached) continue;
    if (std::none_of(result.begin(), result.end(),
                     [&](const Open& open) { return open.key == reached->key; })) {
      result.push_back({reached->key, guess.assumed});
    }
    const double p = reached->likely ? (*reached->likely ? kExpected : 1 - kExpected) : fails;
    for (const bool answer : {true, false}) {
      Guess next = guess;
      next.assumed[reached->key] = answer;
      next.probability *= answer ? p : 1 - p;
      next.number = 2 * runs + (answer ? 1 : 2);
      guesses.push(std::move(next));
    }
  }
  return result;
}

bool Lookahead::make(const Open& open,
                     const std::function<void(const Candidate&, graphsurgeon::Model)>& use) const {
  bool made = false;
  run(open.assumed, [&](const Candidate& candidate) -> bool {
    if (candidate.key == open.key) {
      use(candidate, candidate.make());
      made = true;
    }
    throw Enough();
  });
  return made;
}

}  // namespace polygraphy
