// Inputs of language models for checks.
#pragma once

#include <cstddef>

#include "polygraphy/data/tensors/value.h"
#include "polygraphy/models/decoder/decoder_feeds.h"
#include "polygraphy/models/decoder/decoder_form.h"

namespace polygraphy {

// A prompt with an empty cache, whose lengths fit each other. Of `feed`, the number of rows and the
// values of other inputs are kept, and the number of tokens if there are several.
ValueMap prefill_feed(const DecoderForm& form, size_t seed, const ValueMap& feed);

// A prefill of the tokens in `feed`, with its values of other inputs. Throws Error: it has no
// tokens.
ValueMap prefill_of(const DecoderForm& form, const ValueMap& feed);

}  // namespace polygraphy
