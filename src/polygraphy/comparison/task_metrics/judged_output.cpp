#include "polygraphy/comparison/task_metrics/judged_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "base/arrays/convert.h"
#include "base/near_names.h"

namespace polygraphy {
namespace {

std::string forms_of(const ArrayMap& outputs) {
  std::string text;
  for (const auto& [name, array] : outputs)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, form_of(array));
  return text;
}

}  // namespace

std::string form_of(const Array& array) {
  return fmt::format("{} [{}]", name_of(array.dtype()), fmt::join(array.shape(), ","));
}

size_t place_of_output(const ArrayMap& outputs, const std::string& name, std::string_view form,
                       const std::function<bool(const Array&)>& suits) {
  std::optional<size_t> place;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const auto& [other, array] = outputs.at_index(i);
    if (name.empty() ? !suits(array) : other != name) continue;
    if (place)
      throw Error(kWhichOutput,
                  fmt::format("Several outputs may be {}: {}", form, forms_of(outputs)));
    place = i;
  }
  if (!place && !name.empty()) {
    std::vector<std::string> names;
    for (const auto& [other, array] : outputs) names.push_back(other);
    throw Error("There is no output '" + name + "'", unknown_name_hint(name, names, "Outputs"));
  }
  if (!place)
    throw Error(kWhichOutput, fmt::format("No output may be {}: {}", form, forms_of(outputs)));
  const Array& array = outputs.at_index(*place).second;
  if (!name.empty() && !suits(array))
    throw Error(fmt::format("Output '{}' cannot be {}: it is {}", name, form, form_of(array)));
  return *place;
}

NumberRows::NumberRows(const Array& array, int64_t length)
    : array_(array.contiguous_aligned()),
      length_(length),
      count_(length > 0 ? array.size() / length : 0) {}

std::span<const double> NumberRows::row(int64_t index) {
  const auto bytes = storage_bytes(array_.dtype(), length_);
  row_ = convert(Array::view(array_.dtype(), {length_}, array_.data() + index * bytes, nullptr),
                 DataType::kFloat64);
  return row_.as<double>();
}

}  // namespace polygraphy
