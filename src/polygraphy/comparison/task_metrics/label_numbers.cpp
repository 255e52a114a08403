#include "polygraphy/comparison/task_metrics/label_numbers.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/text.h"

namespace polygraphy {
namespace {

[[noreturn]] void not_whole(const Label& label, const Labels& labels, const std::string& what) {
  throw Error(fmt::format("{} is not a whole number: {}", name_of(label, labels), what),
              "This metric takes numbers of classes or tokens.");
}

}  // namespace

std::vector<int64_t> whole_numbers(const Label& label, const Labels& labels) {
  std::vector<int64_t> numbers;
  if (label.text) {
    for (const std::string_view word : split(*label.text, ' ')) {
      if (word.empty()) continue;
      int64_t number = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
      if (error != std::errc() || end != word.data() + word.size())
        not_whole(label, labels, "'" + std::string(word) + "'");
      numbers.push_back(number);
    }
    return numbers;
  }
  const Array& values = label.values;
  if (values.dtype() == DataType::kString || kind_of(values.dtype()) == Kind::kComplex)
    not_whole(label, labels, std::string(name_of(values.dtype())));
  for (int64_t i = 0; i < values.size(); ++i) {
    if (!is_floating(values.dtype())) {
      numbers.push_back(values.get_int64(i));
      continue;
    }
    const double value = values.get_double(i);
    if (std::nearbyint(value) != value || std::abs(value) > 0x1p53)
      not_whole(label, labels, fmt::format("{:g}", value));
    numbers.push_back(static_cast<int64_t>(value));
  }
  return numbers;
}

std::string name_of(const Label& label, const Labels& labels) {
  return fmt::format("Label {} of {}", label.number, labels.source);
}

}  // namespace polygraphy
