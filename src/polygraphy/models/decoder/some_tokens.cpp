#include "polygraphy/models/decoder/some_tokens.h"

#include <vector>

#include "numerics/numpy_random.h"

namespace polygraphy {

TokenRows some_tokens(const DecoderForm& form, int64_t rows, int64_t length, uint64_t seed) {
  constexpr int64_t kSmall = 16;
  const auto last = static_cast<uint64_t>((form.vocabulary > 1 ? form.vocabulary : kSmall) - 1);
  std::vector<uint64_t> drawn(static_cast<size_t>(rows * length));
  NumpyRandom(static_cast<uint32_t>(seed)).fill_uint64(drawn, 0, last);
  return {rows, length, {drawn.begin(), drawn.end()}};
}

}  // namespace polygraphy
