// Random prompts.
#pragma once

#include <cstdint>

#include "polygraphy/models/decoder/decoder_feeds.h"
#include "polygraphy/models/decoder/decoder_form.h"

namespace polygraphy {

inline constexpr int64_t kUsualPrompt = 12;  // tokens

// Token ids over the whole vocabulary, or below 16 if its size is not known; the same for the same
// seed.
TokenRows some_tokens(const DecoderForm& form, int64_t rows, int64_t length, uint64_t seed);

}  // namespace polygraphy
