#include "polygraphy/runtimes/decoding/prompt_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <utility>

#include "base/error.h"

namespace polygraphy {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::SizeIs;

class Feeds : public FeedSource {
 public:
  explicit Feeds(std::vector<ValueMap> feeds) : feeds_(std::move(feeds)) {}
  std::optional<ValueMap> next(const Metadata&) override {
    if (next_ == feeds_.size()) return std::nullopt;
    return feeds_[next_++];
  }

 private:
  std::vector<ValueMap> feeds_;
  size_t next_ = 0;
};

Array row(std::vector<int64_t> values) {
  return Array::of<int64_t>({1, static_cast<int64_t>(values.size())}, std::span(values));
}

DecoderForm form() {
  DecoderForm form;
  form.tokens = "ids";
  form.mask = "mask";
  form.others = {"adapter"};
  form.vocabulary = 50;
  return form;
}

// Of one sample.
std::function<std::unique_ptr<FeedSource>()> inputs(std::vector<int64_t> mask) {
  ValueMap feed;
  feed.set("ids", row({5, 6, 7}));
  feed.set("mask", row(std::move(mask)));
  feed.set("adapter", row({9}));
  return [feed] { return std::make_unique<Feeds>(std::vector{feed}); };
}

std::vector<std::vector<int64_t>> all(FeedSource& feeds, const std::string& name) {
  std::vector<std::vector<int64_t>> rows;
  while (const auto feed = feeds.next({})) {
    auto& values = rows.emplace_back();
    const Array& array = feed->find(name)->tensor();
    for (int64_t i = 0; i < array.size(); ++i) values.push_back(array.get_int64(i));
  }
  return rows;
}

TEST(PromptSourceTest, GivenPromptsStandBesideOtherInputs) {
  const auto open = open_prompts(
      {.prompts = {{.ids = {1, 2}}, {.ids = {3}}}, .inputs = inputs({1, 1, 1})}, form());
  for (int again = 0; again < 2; ++again) {
    EXPECT_THAT(all(*open(), "ids"), ElementsAre(ElementsAre(1, 2), ElementsAre(3)));
    EXPECT_THAT(all(*open(), "adapter"), ElementsAre(ElementsAre(9), ElementsAre(9)));
  }
}

TEST(PromptSourceTest, InputsAreThePromptsIfNoneAreGiven) {
  EXPECT_THAT(all(*open_prompts({.inputs = inputs({1, 1, 1})}, form())(), "ids"),
              ElementsAre(ElementsAre(5, 6, 7)));
  const auto padded = open_prompts({.inputs = inputs({0, 1, 1})}, form())();
  EXPECT_THROW(padded->next({}), Error);
}

TEST(PromptSourceTest, RandomPromptsFollowFromTheirSeeds) {
  const auto of_seed = [](uint64_t seed, int64_t count) {
    return all(
        *open_prompts({.inputs = inputs({1, 1, 1}), .random = true, .count = count, .seed = seed},
                      form())(),
        "ids");
  };
  const auto prompts = of_seed(1, 2);
  ASSERT_THAT(prompts, SizeIs(2));
  EXPECT_THAT(prompts, Each(SizeIs(12)));
  for (const auto& prompt : prompts)
    EXPECT_THAT(prompt, Each(::testing::AllOf(::testing::Ge(0), ::testing::Lt(50))));
  EXPECT_NE(prompts[0], prompts[1]);
  EXPECT_EQ(of_seed(2, 1).front(), prompts[1]);
}

}  // namespace
}  // namespace polygraphy
