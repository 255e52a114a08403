#include "polygraphy/diagnosis/reduce/candidate_tests/interestingness.h"

#include <gmock/gmock.h>

#include <vector>

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Candidates are known by what is logged about them. Looks so far ahead.
class NamedTest : public InterestingnessTest {
 public:
  NamedTest(std::string failing, size_t ahead) : failing_(std::move(failing)), ahead_(ahead) {}
  std::vector<std::string> asked, offered;

 private:
  bool answer(const Candidate& candidate, const Upcoming<Candidate>& next) override {
    asked.push_back(candidate.about);
    offered.clear();
    while (offered.size() < ahead_) {
      const auto upcoming = take_next(next);
      if (!upcoming) break;
      offered.push_back(upcoming->about);
    }
    return candidate.about == failing_;
  }

  std::string failing_;
  size_t ahead_;
};

class FirstFailingTest : public testing::Test {
 protected:
  // Of "a", "b", "c", "d"; counts how many were drawn.
  Upcoming<Candidate> batch() {
    return [this]() -> std::optional<Candidate> {
      if (drawn_ == 4) return std::nullopt;
      return Candidate{.about = std::string(1, static_cast<char>('a' + drawn_++)), .make = {}};
    };
  }
  int drawn_ = 0;
};

TEST_F(FirstFailingTest, IsTheFirstInOrderHoweverFarATestLooksAhead) {
  for (const size_t ahead : {0, 1, 2, 9}) {
    drawn_ = 0;
    NamedTest test("c", ahead);
    const auto found = test.first_failing(batch());
    ASSERT_TRUE(found);
    EXPECT_EQ(found->candidate.about, "c");
    EXPECT_EQ(found->position, 2u);
    EXPECT_THAT(test.asked, ElementsAre("a", "b", "c"));
  }
}

TEST_F(FirstFailingTest, IsNoneWhereAllPass) {
  NamedTest test("x", 1);
  EXPECT_FALSE(test.first_failing(batch()));
  EXPECT_THAT(test.asked, ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(test.offered, IsEmpty());
  EXPECT_FALSE(test.first_failing(in_order<Candidate>({})));
}

TEST_F(FirstFailingTest, NothingIsDrawnThatNobodyLooksAt) {
  NamedTest alone("b", 0), ahead("b", 1);
  static_cast<void>(alone.first_failing(batch()));
  EXPECT_EQ(drawn_, 2);
  drawn_ = 0;
  static_cast<void>(ahead.first_failing(batch()));
  EXPECT_EQ(drawn_, 3);
  EXPECT_THAT(ahead.offered, ElementsAre("c"));
}

}  // namespace
}  // namespace polygraphy
