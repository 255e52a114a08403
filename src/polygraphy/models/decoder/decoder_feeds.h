// Feeds of a language model, step by step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polygraphy/data/tensors/value.h"
#include "polygraphy/models/decoder/decoder_form.h"

namespace polygraphy {

// Token ids: one row per sequence, all of one length.
struct TokenRows {
  int64_t rows = 0, length = 0;
  std::vector<int64_t> ids;  // row after row

  int64_t& at(int64_t row, int64_t place) { return ids[static_cast<size_t>(row * length + place)]; }
  int64_t at(int64_t row, int64_t place) const {
    return ids[static_cast<size_t>(row * length + place)];
  }
  // Places [begin, end) of all rows.
  TokenRows part(int64_t begin, int64_t end) const;
  // These tokens behind each row's; as many rows.
  void append(const TokenRows& more);
  friend bool operator==(const TokenRows&, const TokenRows&) = default;
};

// Of an array of integers, [length] or [rows, length]. Throws Error for others.
TokenRows token_rows(const Array& ids);
Array array_of(const TokenRows& tokens, DataType type);

// The states before the first token: nothing, or buffers of zeros. Throws Error for a dimension of
// unknown size.
ValueMap first_states(const DecoderForm& form, int64_t rows);

// Generated values of DecoderForm::others, of which masks hide nothing.
ValueMap with_open_masks(const DecoderForm& form, ValueMap others);

struct DecoderStep {
  const TokenRows& tokens;  // of this step
  int64_t past = 0;         // positions in the states
  // By row: how many positions at its start are padding; empty: none.
  std::span<const int64_t> padding = {};
};

// The feed of a step. `states` by names of inputs. `others`: values of other inputs, as in
// DecoderForm::others. Positions count from the first token that is not padding, as in
// transformers. Throws Error: a value of another input is missing.
ValueMap step_feed(const DecoderForm& form, const DecoderStep& step, const ValueMap& states,
                   const ValueMap& others);

}  // namespace polygraphy
