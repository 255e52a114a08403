#include "polygraphy/diagnosis/consistency/prefill.h"

#include <vector>

#include "numerics/numpy_random.h"

namespace polygraphy {
namespace {

constexpr int64_t kTokens = 12;
constexpr int64_t kSmallVocabulary = 16;

}  // namespace

TokenRows some_tokens(const DecoderForm& form, int64_t rows, int64_t length, uint64_t seed) {
  const int64_t vocabulary = form.vocabulary > 1 ? form.vocabulary : kSmallVocabulary;
  std::vector<uint64_t> drawn(static_cast<size_t>(rows * length));
  NumpyRandom(static_cast<uint32_t>(seed)).fill_uint64(drawn, 0, static_cast<uint64_t>(vocabulary - 1));
  return {rows, length, {drawn.begin(), drawn.end()}};
}

ValueMap prefill_feed(const DecoderForm& form, size_t seed, const ValueMap& feed) {
  int64_t rows = 1, length = kTokens;
  const Value* value = feed.find(form.tokens);
  if (value && value->as_tensor() && value->as_tensor()->rank() == 2) {
    rows = value->as_tensor()->shape()[0];
    if (value->as_tensor()->shape()[1] > 1) length = value->as_tensor()->shape()[1];
  }
  const TokenRows tokens = some_tokens(form, rows, length, seed);
  return step_feed(form, {.tokens = tokens}, first_states(form, rows), feed);
}

}  // namespace polygraphy
