#include "polygraphy/runtimes/decoding/prompt_source.h"

#include <utility>

#include "polygraphy/models/decoder/some_tokens.h"
#include "polygraphy/runtimes/decoding/decoding.h"

namespace polygraphy {

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
  return [source = std::move(source), input = form.tokens, others = form.others] {
    auto feeds = prompt_feeds(source.prompts, input);
    return others.empty() ? std::move(feeds)
                          : prompts_beside(std::move(feeds), source.inputs(), others);
  };
}

}  // namespace polygraphy
