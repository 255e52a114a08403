#include "polygraphy/comparison/compare/metric_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/error.h"
#include "base/near_names.h"
#include "base/py_numbers.h"
#include "base/text.h"

namespace polygraphy {
namespace {

using Type = MetricOption::Type;

// The option of the function with this name behind that of its metric; null: it has none. `known`
// gets the names of all.
const MetricOption* option_named(std::string_view key, std::string_view function,
                                 std::string& known) {
  for (const Metric* metric : selected_metrics(function)) {
    const std::string prefix = std::string(metric->name) + "_";
    for (const MetricOption& option : metric->options) {
      const bool number = option.type == Type::kNumber || option.type == Type::kInteger;
      if (!number || !option.name.starts_with(prefix)) continue;
      const std::string_view name = option.name.substr(prefix.size());
      known += (known.empty() ? "" : ", ") + std::string(name);
      if (name == key) return &option;
    }
  }
  return nullptr;
}

void set_argument(std::string_view function, std::string_view argument, MetricOptions& options) {
  const size_t equals = argument.find('=');
  const std::string_view key = argument.substr(0, equals);
  const std::string typed(equals == argument.npos ? "" : argument.substr(equals + 1));
  std::string known;
  const MetricOption* option = option_named(key, function, known);
  if (!option) {
    throw Error(fmt::format("{}:{}: the function has no argument '{}'", function, argument, key),
                known.empty() ? "It takes none." : "It takes: " + known + ".");
  }
  const bool whole = option->type == Type::kInteger;
  const auto value = option->automatic && typed == "auto"
                         ? std::optional(std::numeric_limits<double>::quiet_NaN())
                         : parse_float(typed);
  if (!value || (whole && *value != std::floor(*value))) {
    throw Error(fmt::format("{}:{}: '{}' is not a {}number", function, argument, typed,
                            whole ? "whole " : ""),
                fmt::format("Give a number: {}:{}=1.", function, key));
  }
  const GivenNumber number(*value, typed);
  check_number(*option, "", number);
  options.numbers[std::string(option->name)].set("", number);
}

}  // namespace

std::string_view function_of(std::string_view choice) {
  return choice.substr(0, choice.find(':'));
}

std::vector<const Metric*> chosen_metrics(std::span<const std::string> choices) {
  std::vector<const Metric*> all;
  for (const std::string& choice : choices) {
    const std::string_view function = function_of(choice);
    const auto chosen = selected_metrics(function);
    if (chosen.empty()) {
      throw Error("Unknown metric '" + std::string(function) + "'.",
                  unknown_name_hint(function, metric_choices(), "Choices"));
    }
    for (const Metric* metric : chosen) {
      if (std::ranges::find(all, metric) == all.end()) all.push_back(metric);
    }
  }
  return all;
}

void set_arguments(std::string_view choice, MetricOptions& options) {
  const std::string_view function = function_of(choice);
  if (function.size() == choice.size()) return;
  for (const std::string_view argument : split(choice.substr(function.size() + 1), ','))
    set_argument(function, argument, options);
}

}  // namespace polygraphy
