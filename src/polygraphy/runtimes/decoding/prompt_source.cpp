#include "polygraphy/runtimes/decoding/prompt_source.h"

#include <utility>

#include "polygraphy/data/inputs/wrapped_feeds.h"
#include "polygraphy/models/decoder/some_tokens.h"
#include "polygraphy/runtimes/decoding/decoding.h"

namespace polygraphy {

namespace {

// Of other inputs than the prompt.
class OpenMasks : public WrappedFeeds {
 public:
  OpenMasks(DecoderForm form, std::unique_ptr<FeedSource> feeds)
      : WrappedFeeds(std::move(feeds)), form_(std::move(form)) {}

  std::optional<ValueMap> next(const Metadata& inputs) override {
    auto feed = WrappedFeeds::next(inputs);
    if (feed && generates()) feed = with_open_masks(form_, std::move(*feed));
    return feed;
  }

 private:
  const DecoderForm form_;
};

}  // namespace

std::function<std::unique_ptr<FeedSource>()> open_prompts(PromptSource source,
                                                          const DecoderForm& form) {
  if (source.prompts.empty() && !source.random) {
    return [inputs = std::move(source.inputs), form] { return unpadded_prompts(form, inputs()); };
  }
  if (source.prompts.empty()) {
    for (int64_t i = 0; i < source.count; ++i) {
      const TokenRows tokens =
          some_tokens(form, 1, kUsualPrompt, source.seed + static_cast<uint64_t>(i));
      source.prompts.push_back({.text = {}, .ids = tokens.ids});
    }
  }
  return [source = std::move(source), form] {
    auto feeds = prompt_feeds(source.prompts, form.tokens);
    if (form.others.empty()) return feeds;
    auto others = std::make_unique<OpenMasks>(form, source.inputs());
    return prompts_beside(std::move(feeds), std::move(others), form.others);
  };
}

}  // namespace polygraphy
