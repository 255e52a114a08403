// Runners that decode: each inference is a prefill and further steps.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/models/decoder/decoder_feeds.h"
#include "polygraphy/models/decoder/decoder_form.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/backend/runners.h"
#include "polygraphy/runtimes/decoding/decode_options.h"

namespace polygraphy {

inline constexpr std::string_view kTokensOutput = "tokens";

// A way to decode, shared by runners that run side by side: the first one to meet a prompt says how
// it goes on.
class Decoding {
 public:
  Decoding(DecoderForm form, DecodeOptions options)
      : form_(std::move(form)), options_(std::move(options)) {}

  const DecoderForm& form() const { return form_; }
  const DecodeOptions& options() const { return options_; }

  // Outputs that a step passes on to the next one; none without steps.
  std::vector<std::string> caches() const;

  // Prompt and further tokens, if they are known; null: not yet. Valid until the next add().
  const TokenRows* known(const TokenRows& prompt) const;
  void add(TokenRows tokens) { known_.push_back(std::move(tokens)); }
  // Of saved outputs, in their order: from now on, each prompt must be among these.
  void force(TokenRows tokens) {
    add(std::move(tokens));
    ++forced_;
  }
  bool forced() const { return forced_ > 0; }
  // Throws Error: the saved outputs have this prompt in another iteration, so that its results
  // would be compared with another prompt's.
  void require_saved(size_t iteration, const TokenRows& prompt) const;

 private:
  DecoderForm form_;
  DecodeOptions options_;
  std::vector<TokenRows> known_;
  size_t forced_ = 0;  // the first ones
};

// Runners that take prompts, the values of DecoderForm::tokens and ::others. Names stay.
Runners decoding_runners(const Runners& runners, const std::shared_ptr<Decoding>& decoding);

// The same prompts. next() throws Error for one with a mask that hides tokens: rows of other
// lengths are decoded one by one.
std::unique_ptr<FeedSource> unpadded_prompts(DecoderForm form, std::unique_ptr<FeedSource> prompts);

// The same prompts. next() throws Error for one that differs from the saved outputs'.
std::function<std::unique_ptr<FeedSource>()> saved_prompts(
    std::shared_ptr<const Decoding> decoding, std::function<std::unique_ptr<FeedSource>()> prompts);

// For each prompt, one feed with all tokens but the last, and an empty cache: its logits are the
// logits of all steps. next() throws Error for a prompt that no runner has met.
std::unique_ptr<FeedSource> decoded_feeds(std::shared_ptr<const Decoding> decoding,
                                          std::unique_ptr<FeedSource> prompts);

// For each prompt, the feed of its prefill.
std::function<std::unique_ptr<FeedSource>()> prefill_feeds(
    std::shared_ptr<const Decoding> decoding, std::function<std::unique_ptr<FeedSource>()> prompts);

// For each prompt, the feed of one step of the runner: 0 is the prefill, k the k-th token behind
// it. The runner need not be active.
std::unique_ptr<FeedSource> step_feeds(std::shared_ptr<const Decoding> decoding, int64_t step,
                                       std::shared_ptr<Runner> runner,
                                       std::unique_ptr<FeedSource> prompts);

}  // namespace polygraphy
