#include "polygraphy/diagnosis/reduce/candidate_tests/lookahead.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "graphsurgeon/ir/make.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Searches over candidates that are known by their names.
class LookaheadTest : public testing::Test {
 protected:
  static bool ask(InterestingnessTest& test, const std::string& key,
                  std::optional<bool> likely = {}) {
    return test.fails(
        {.key = key, .about = {}, .make = [] { return graphsurgeon::Model(); }, .likely = likely});
  }
  std::vector<std::string> next(const Search& search, size_t count, double fails = 0.5) {
    const Lookahead lookahead(search, [this](const std::string& key) -> std::optional<bool> {
      const auto answer = answers_.find(key);
      return answer == answers_.end() ? std::nullopt : std::optional(answer->second);
    });
    std::vector<std::string> keys;
    for (const auto& open : lookahead.next(count, fails)) {
      keys.push_back(open.key);
      std::string made;
      EXPECT_TRUE(lookahead.make(open, [&](const Candidate& candidate, const graphsurgeon::Model&) {
        made = candidate.key;
      }));
      EXPECT_EQ(made, open.key);
    }
    return keys;
  }

  std::map<std::string, bool> answers_;
};

TEST_F(LookaheadTest, WhatIsAskedInAnyCaseComesFirst) {
  const Search search = [](InterestingnessTest& test) {
    if (ask(test, "first")) ask(test, "because it failed");
    ask(test, "second");
    ask(test, "third");
  };
  EXPECT_THAT(next(search, 2), ElementsAre("first", "second"));
  EXPECT_THAT(next(search, 9), ElementsAre("first", "second", "third", "because it failed"));
  answers_["first"] = true;
  EXPECT_THAT(next(search, 1), ElementsAre("because it failed"));
}

TEST_F(LookaheadTest, GuessesTheMoreLikelySideFirst) {
  const Search search = [](InterestingnessTest& test) {
    ask(test, "0") ? ask(test, "01") : ask(test, "00");
  };
  EXPECT_THAT(next(search, 2, 0.9), ElementsAre("0", "01"));
  EXPECT_THAT(next(search, 2, 0.1), ElementsAre("0", "00"));
}

TEST_F(LookaheadTest, TakesTheSearchAtItsWord) {
  const Search search = [](InterestingnessTest& test) {
    if (ask(test, "model fails", true)) ask(test, "then");
  };
  EXPECT_THAT(next(search, 1), ElementsAre("model fails"));
  EXPECT_THAT(next(search, 2, 0.1), ElementsAre("model fails", "then"));
}

TEST_F(LookaheadTest, WhatCannotBeMadeEndsAGuess) {
  const Search search = [](InterestingnessTest& test) {
    if (ask(test, "a")) throw Error("there is no such part");
    ask(test, "b");
  };
  EXPECT_THAT(next(search, 5), ElementsAre("a", "b"));
}

TEST_F(LookaheadTest, NothingIsAskedAtTheEnd) {
  EXPECT_THAT(next([](InterestingnessTest&) {}, 3), IsEmpty());
}

}  // namespace
}  // namespace polygraphy
