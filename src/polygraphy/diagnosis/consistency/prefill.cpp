#include "polygraphy/diagnosis/consistency/prefill.h"

#include "polygraphy/models/decoder/some_tokens.h"

namespace polygraphy {
ValueMap prefill_feed(const DecoderForm& form, size_t seed, const ValueMap& feed) {
  int64_t rows = 1, length = kUsualPrompt;
  const Value* value = feed.find(form.tokens);
  if (value && value->as_tensor() && value->as_tensor()->rank() == 2) {
    rows = value->as_tensor()->shape()[0];
    if (value->as_tensor()->shape()[1] > 1) length = value->as_tensor()->shape()[1];
  }
  if (form.step_tokens > 0) length = form.step_tokens;
  const TokenRows tokens = some_tokens(form, rows, length, seed);
  return step_feed(form, {.tokens = tokens}, first_states(form, rows), with_open_masks(form, feed));
}

ValueMap prefill_of(const DecoderForm& form, const ValueMap& feed) {
  const Value* value = feed.find(form.tokens);
  if (!value || !value->as_tensor())
    throw Error("The inputs have no '" + form.tokens + "': a prompt is missing");
  const TokenRows tokens = token_rows(*value->as_tensor());
  return step_feed(form, {.tokens = tokens}, first_states(form, tokens.rows), feed);
}

}  // namespace polygraphy
