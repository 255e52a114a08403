// The prompts of a run of a language model: given ones, those in its inputs, or random ones.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/data/inputs/prompts.h"
#include "polygraphy/models/decoder/decoder_form.h"

namespace polygraphy {

struct PromptSource {
  // With token ids. Empty: the inputs have them, or they are random.
  std::vector<Prompt> prompts = {};
  // The inputs of the model, with DecoderForm::others. The same each time.
  std::function<std::unique_ptr<FeedSource>()> inputs = {};
  // Without `prompts`: of 12 tokens over the vocabulary. Prompt i has the seed `seed` + i.
  bool random = false;
  int64_t count = 1;  // of random ones
  uint64_t seed = 1;
};

// Opens the same prompts each time. next() throws Error for an input with a mask that hides tokens.
std::function<std::unique_ptr<FeedSource>()> open_prompts(PromptSource source,
                                                          const DecoderForm& form);

}  // namespace polygraphy
