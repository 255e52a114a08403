#include "polygraphy/comparison/compare/metrics/shared/logits.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/text.h"
#include "polygraphy/comparison/compare/metrics/shared/per_output.h"

namespace polygraphy {
namespace {

bool is_cache(std::string_view name) {
  return name.starts_with("past") || name.starts_with("present");
}

}  // namespace

// Arrays may not be in memory yet.
std::vector<std::string> named_logits(const ArrayMap& outputs) {
  std::vector<std::string> named;
  for (const auto& [name, array] : outputs) {
    if (to_lower(name).find("logits") != std::string::npos) named.push_back(name);
  }
  return named;
}

std::vector<std::string> judged_logits(const ArrayMap& outputs,
                                       const PerOutput<GivenNumber>& axes) {
  std::vector<std::string> judged;
  for (const auto& [name, axis] : axes) {
    if (!name.empty()) judged.push_back(name);
  }
  if (judged.empty()) judged = named_logits(outputs);
  if (!judged.empty()) return judged;
  for (const auto& [name, array] : outputs) {
    if (!is_cache(name)) judged.push_back(name);
  }
  return judged;
}

int64_t vocabulary_axis(const std::string& name, const Array& array,
                        const PerOutput<GivenNumber>& axes) {
  const double given = value_for(axes, name, GivenNumber(-1)).value;
  const auto rank = static_cast<double>(array.rank());
  if (given < -rank || given >= rank) {
    throw Error(fmt::format("Output '{}' has {} axes: there is no axis {:g} of a vocabulary", name,
                            array.rank(), given),
                "Give an axis of the output; -1 is the last one.");
  }
  return static_cast<int64_t>(given);
}

bool may_be_logits(const Array& array) {
  if (array.rank() == 0 || !has_compute_type(array.dtype())) return false;
  const ComputeType type = compute_type_of(array.dtype());
  return type == ComputeType::kFloat || type == ComputeType::kDouble;
}

LogitRows::LogitRows(const Array& array, int64_t axis) : places_(array.shape()) {
  const auto at = static_cast<size_t>(axis < 0 ? axis + array.rank() : axis);
  std::vector<int64_t> order(array.shape().size());
  std::iota(order.begin(), order.end(), 0);
  std::rotate(order.begin() + static_cast<ptrdiff_t>(at),
              order.begin() + static_cast<ptrdiff_t>(at) + 1, order.end());
  array_ = (at + 1 == order.size() ? array : array.transposed(order)).contiguous_aligned();
  size_ = places_[at];
  places_.erase(places_.begin() + static_cast<ptrdiff_t>(at));
  rows_ = size_ == 0 ? 0 : element_count(places_);
}

std::vector<int64_t> LogitRows::position(int64_t row) const {
  std::vector<int64_t> position(places_.size());
  for (size_t i = places_.size(); i-- > 0;) {
    position[i] = row % places_[i];
    row /= places_[i];
  }
  return position;
}

std::span<const double> LogitRows::Reader::read(int64_t row) {
  row_.resize(static_cast<size_t>(rows_.size_));
  const bool wide = compute_type_of(rows_.array_.dtype()) == ComputeType::kDouble;
  for (int64_t at = 0; at < rows_.size_; at += BlockSource::kBlockElements) {
    const int64_t count = std::min(BlockSource::kBlockElements, rows_.size_ - at);
    const void* block = source_.read(row * rows_.size_ + at, count);
    if (wide) {
      std::copy_n(static_cast<const double*>(block), count, row_.begin() + at);
    } else {
      std::copy_n(static_cast<const float*>(block), count, row_.begin() + at);
    }
  }
  return row_;
}

}  // namespace polygraphy
