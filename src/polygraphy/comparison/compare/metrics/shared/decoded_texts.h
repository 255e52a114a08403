// The texts that two sides decoded: logits say something of both as long as these are the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/arrays/array.h"

namespace polygraphy {

// An output of runners that decode: int64[texts, tokens], the prompts and further tokens.
inline constexpr std::string_view kTexts = "tokens";

class DecodedTexts {
 public:
  DecodedTexts() = default;
  // null, or of other shapes: all rows of logits are of the same tokens.
  DecodedTexts(const Array* one, const Array* other);

  // Whether a text of one side goes on otherwise on the other.
  bool part() const;
  // Logits [texts, positions, vocabulary] are those of the last positions of each text but for the
  // token that comes next. Whether a row of them is of tokens that both sides have; true for
  // logits of other forms.
  bool same_before(const Shape& logits, int64_t row) const;
  // The rows in which texts part: both sides go on as these prefer. -1: before the first row.
  std::vector<int64_t> last_same(const Shape& logits) const;

 private:
  // Positions of a text before its logits begin; nullopt: the logits have another form.
  std::optional<int64_t> skipped(const Shape& logits) const;

  int64_t length_ = 0;
  std::vector<int64_t> equal_;  // by text: tokens before the first other one
};

}  // namespace polygraphy
