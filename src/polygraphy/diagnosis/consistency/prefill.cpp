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
  const TokenRows tokens = some_tokens(form, rows, length, seed);
  return step_feed(form, {.tokens = tokens}, first_states(form, rows), feed);
}

}  // namespace polygraphy
