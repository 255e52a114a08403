#include "polygraphy/reduce/oracle/lookahead.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "graphsurgeon/ir/make.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Searches over questions that are known by their names.
class LookaheadTest : public testing::Test {
 protected:
  static bool ask(Oracle& oracle, const std::string& key, std::optional<bool> likely = {}) {
    return oracle.fails({.key = key,
                         .about = {},
                         .candidate = [] { return graphsurgeon::Model(); },
                         .likely = likely});
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
      EXPECT_TRUE(lookahead.make(open, [&](const Question& question, const graphsurgeon::Model&) {
        made = question.key;
      }));
      EXPECT_EQ(made, open.key);
    }
    return keys;
  }

  std::map<std::string, bool> answers_;
};

TEST_F(LookaheadTest, WhatIsAskedInAnyCaseComesFirst) {
  const Search search = [](Oracle& oracle) {
    if (ask(oracle, "first")) ask(oracle, "because it failed");
    ask(oracle, "second");
    ask(oracle, "third");
  };
  EXPECT_THAT(next(search, 2), ElementsAre("first", "second"));
  EXPECT_THAT(next(search, 9), ElementsAre("first", "second", "third", "because it failed"));
  answers_["first"] = true;
  EXPECT_THAT(next(search, 1), ElementsAre("because it failed"));
}

TEST_F(LookaheadTest, GuessesTheMoreLikelySideFirst) {
  const Search search = [](Oracle& oracle) {
    ask(oracle, "0") ? ask(oracle, "01") : ask(oracle, "00");
  };
  EXPECT_THAT(next(search, 2, 0.9), ElementsAre("0", "01"));
  EXPECT_THAT(next(search, 2, 0.1), ElementsAre("0", "00"));
}

TEST_F(LookaheadTest, TakesTheSearchAtItsWord) {
  const Search search = [](Oracle& oracle) {
    if (ask(oracle, "model fails", true)) ask(oracle, "then");
  };
  EXPECT_THAT(next(search, 1), ElementsAre("model fails"));
  EXPECT_THAT(next(search, 2, 0.1), ElementsAre("model fails", "then"));
}

TEST_F(LookaheadTest, WhatCannotBeMadeEndsAGuess) {
  const Search search = [](Oracle& oracle) {
    if (ask(oracle, "a")) throw Error("there is no such part");
    ask(oracle, "b");
  };
  EXPECT_THAT(next(search, 5), ElementsAre("a", "b"));
}

TEST_F(LookaheadTest, NothingIsAskedAtTheEnd) {
  EXPECT_THAT(next([](Oracle&) {}, 3), IsEmpty());
}

}  // namespace
}  // namespace polygraphy
