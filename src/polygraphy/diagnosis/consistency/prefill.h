// Inputs of language models for checks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "polygraphy/data/tensors/value.h"
#include "polygraphy/models/decoder/decoder_feeds.h"
#include "polygraphy/models/decoder/decoder_form.h"

namespace polygraphy {

// Token ids over the whole vocabulary, or small ones if it is not known; the same for the same seed.
TokenRows some_tokens(const DecoderForm& form, int64_t rows, int64_t length, uint64_t seed);

// A prompt with an empty cache, whose lengths fit each other. Of `feed`, the number of rows and the
// values of other inputs are kept, and the number of tokens if there are several.
ValueMap prefill_feed(const DecoderForm& form, size_t seed, const ValueMap& feed);

}  // namespace polygraphy
