#include "polygraphy/comparison/compare/metrics/shared/decoded_texts.h"

#include <algorithm>

namespace polygraphy {

DecodedTexts::DecodedTexts(const Array* one, const Array* other) {
  if (!one || !other || one->shape() != other->shape() || one->rank() != 2) return;
  if (one->dtype() != DataType::kInt64 || other->dtype() != DataType::kInt64) return;
  length_ = one->shape()[1];
  for (int64_t text = 0; text < one->shape()[0]; ++text) {
    int64_t equal = 0;
    while (equal < length_ &&
           one->get_int64(text * length_ + equal) == other->get_int64(text * length_ + equal))
      ++equal;
    equal_.push_back(equal);
  }
}

bool DecodedTexts::part() const {
  return std::ranges::any_of(equal_, [&](int64_t equal) { return equal < length_; });
}

std::optional<int64_t> DecodedTexts::skipped(const Shape& logits) const {
  const auto texts = static_cast<int64_t>(equal_.size());
  const bool fits = logits.size() == 3 && logits[0] == texts && logits[1] < length_;
  return fits ? std::optional(length_ - 1 - logits[1]) : std::nullopt;
}

bool DecodedTexts::same_before(const Shape& logits, int64_t row) const {
  const auto before = skipped(logits);
  if (!before || logits[1] == 0) return true;
  return row % logits[1] + *before < equal_[static_cast<size_t>(row / logits[1])];
}

std::vector<int64_t> DecodedTexts::last_same(const Shape& logits) const {
  const auto before = skipped(logits);
  std::vector<int64_t> rows;
  for (size_t text = 0; before && text < equal_.size(); ++text) {
    if (equal_[text] == length_) continue;
    const int64_t place = equal_[text] - 1 - *before;
    rows.push_back(place < 0 ? -1 : static_cast<int64_t>(text) * logits[1] + place);
  }
  return rows;
}

}  // namespace polygraphy
