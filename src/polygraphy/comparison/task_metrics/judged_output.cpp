#include "polygraphy/comparison/task_metrics/judged_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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

[[noreturn]] void refuse_name(const std::string& name, const std::vector<std::string>& outputs) {
  throw Error("There is no output '" + name + "'", unknown_name_hint(name, outputs, "Outputs"));
}

// Or its own name.
bool is_array_of(std::string_view name, std::string_view output) {
  if (!name.starts_with(output)) return false;
  const std::string_view rest = name.substr(output.size());
  return rest.empty() || rest.front() == '[' || rest.front() == '.';
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
    refuse_name(name, names);
  }
  if (!place)
    throw Error(kWhichOutput, fmt::format("No output may be {}: {}", form, forms_of(outputs)));
  const Array& array = outputs.at_index(*place).second;
  if (!name.empty() && !suits(array))
    throw Error(fmt::format("Output '{}' cannot be {}: it is {}", name, form, form_of(array)));
  return *place;
}

void require_output(const std::string& name, const std::vector<std::string>& outputs) {
  const bool known = std::ranges::any_of(
      outputs, [&](const std::string& output) { return is_array_of(name, output); });
  if (!known) refuse_name(name, outputs);
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
