// Runs a language model with its cache: a prefill, then steps.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/arrays/array.h"
#include "base/arrays/array_map.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/models/decoder/decoder_feeds.h"
#include "polygraphy/models/decoder/decoder_form.h"

namespace polygraphy {

// Runs the model once.
using InferStep = std::function<ValueMap(const ValueMap& feed)>;

struct DecodePlan {
  const TokenRows& prompt;
  int64_t steps = 0;                      // behind the prefill
  const TokenRows* forced = nullptr;      // prompt and further tokens; null: those it prefers
  std::span<const int64_t> pieces = {};   // of the prompt, one after the other; empty: at once
  std::span<const int64_t> padding = {};  // by row, at its start
  const ValueMap* others = nullptr;       // of DecoderForm::others; null: none
};

struct Decoded {
  Array logits;  // [rows, all tokens that were fed, vocabulary]; fewer if the model returns fewer
  TokenRows tokens;  // prompt, then one token behind the prefill and behind each step
  ArrayMap states;   // after the last step, by names of outputs
};

// Tokens are chosen greedily: the first of the largest logits of the last position. The next step
// gets the states of one step; states of an encoder (DecoderState::once), and states without
// elements in a step's results, stay. Throws Error: the model's results do not have the shapes of a
// decoder, a plan without room for its tokens; or as `infer`.
Decoded decode(const DecoderForm& form, const DecodePlan& plan, const InferStep& infer);

// The feed of step `step` of the plan: 0 is the prefill, k the k-th token behind it.
ValueMap feed_of_step(const DecoderForm& form, const DecodePlan& plan, int64_t step,
                      const InferStep& infer);

}  // namespace polygraphy
