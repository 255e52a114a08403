#include "polygraphy/comparison/task_metrics/token_labels.h"

#include <fmt/format.h>

namespace polygraphy {
namespace {

constexpr int64_t kNone = -100;

const Array& tokens_of(const ValueMap& feed) {
  const auto of = [](const Value& value) {
    const Array* array = value.as_tensor();
    return array && is_integral(array->dtype()) && array->rank() == 2 ? array : nullptr;
  };
  const Array* tokens = nullptr;
  int64_t found = 0;
  for (const auto& [name, value] : feed) {
    const Array* array = of(value);
    if (array == nullptr) continue;
    if (name == "input_ids") return *array;
    tokens = array;
    ++found;
  }
  if (found != 1)
    throw Error(kNoTokens,
                found == 0 ? std::string("No input has token ids: integers of two dimensions")
                           : fmt::format("{} inputs have integers of two dimensions, and none is "
                                         "called 'input_ids'",
                                         found),
                "Give the next tokens as labels.");
  return *tokens;
}

}  // namespace

std::vector<Label> next_tokens(const ValueMap& feed) {
  const Array& tokens = tokens_of(feed);
  const Value* value = feed.find("attention_mask");
  const Array* mask = value ? value->as_tensor() : nullptr;
  if (mask && mask->shape() != tokens.shape()) mask = nullptr;
  const int64_t rows = tokens.shape()[0], length = tokens.shape()[1];
  std::vector<Label> labels;
  for (int64_t row = 0; row < rows; ++row) {
    std::vector<int64_t> next(static_cast<size_t>(length), kNone);
    for (int64_t i = 0; i + 1 < length; ++i) {
      const int64_t here = row * length + i;
      const bool read = !mask || (mask->get_double(here) != 0 && mask->get_double(here + 1) != 0);
      if (read) next[static_cast<size_t>(i)] = tokens.get_int64(here + 1);
    }
    labels.push_back({.values = Array::of<int64_t>({length}, std::span<const int64_t>(next))});
    labels.back().number = row;
  }
  return labels;
}

}  // namespace polygraphy
