#include "polygraphy/comparison/compare/metric.h"

#include <algorithm>
#include <cmath>

#include "base/arrays/py_repr.h"
#include "base/near_names.h"
#include "base/text.h"

namespace polygraphy {
namespace {

std::string bounds_text(const MetricOption& option) {
  if (std::isinf(option.least) && std::isinf(option.most)) return "is a number";
  if (std::isinf(option.most)) return "is " + format_g(option.least, 6) + " or greater";
  return "is between " + format_g(option.least, 6) + " and " + format_g(option.most, 6);
}

}  // namespace

std::string_view name_of(const Metric& metric) {
  return metric.name;
}

std::vector<std::string_view> figure_names(const Metric& metric) {
  return metric.figures.empty() ? std::vector<std::string_view>() : split(metric.figures, ' ');
}

std::vector<std::pair<std::string_view, double>> known_figures(const OutputResult& result) {
  std::vector<std::pair<std::string_view, double>> known;
  if (!result.metric) return known;
  const auto names = figure_names(*result.metric);
  for (size_t i = 0; i < std::min(names.size(), result.figures.size()); ++i) {
    if (result.figures[i]) known.emplace_back(names[i], *result.figures[i]);
  }
  return known;
}

bool is_within_bounds(const MetricOption& option, const GivenNumber& number) {
  // A NaN that a caller gives is an error here, too: it would let everything pass.
  if (option.automatic && number.typed == "auto") return true;
  return number.value >= option.least && number.value <= option.most;
}

void check_number(const MetricOption& option, const std::string& output,
                  const GivenNumber& number) {
  if (is_within_bounds(option, number)) return;
  const std::string name(option.name);
  throw Error("Invalid " + name + (output.empty() ? "" : " for output " + py_str_repr(output)) +
                  ": " + number.repr() + ".",
              "Note: " + name + " " + bounds_text(option) + ".");
}

Error unknown_choice(std::string_view option, std::string_view text,
                     std::span<const std::string_view> choices) {
  const std::vector<std::string> names(choices.begin(), choices.end());
  const std::string meant = did_you_mean(text, choices);
  return Error(
      "Invalid choice for " + std::string(option) + ": " + std::string(text) + ".",
      "Note: Valid choices are: " + py_list_repr(names) + (meant.empty() ? "" : "\n" + meant));
}

std::unique_ptr<MetricFunction> make_function(const Metric& metric, const MetricOptions& options) {
  for (const MetricOption& option : metric.options) {
    for (const auto& [output, number] : options.numbers_of(option.name)) {
      check_number(option, output, number);
    }
  }
  return metric.make(options);
}

std::vector<const Metric*> listed_metrics() {
  const auto table = metrics();
  std::vector<const Metric*> listed(table.begin(), table.end());
  std::stable_sort(listed.begin(), listed.end(),
                   [](const Metric* a, const Metric* b) { return a->order < b->order; });
  return listed;
}

const Metric* find_metric(std::string_view name) {
  for (const Metric* metric : metrics()) {
    if (metric->name == name) return metric;
  }
  return nullptr;
}

std::vector<const Metric*> selected_metrics(std::string_view choice) {
  if (const Metric* metric = find_metric(choice)) return {metric};
  std::vector<const Metric*> members;
  for (const Metric* metric : listed_metrics()) {
    if (!metric->group.empty() && metric->group == choice) members.push_back(metric);
  }
  return members;
}

std::vector<std::string_view> metric_choices() {
  std::vector<std::string_view> choices;
  for (const Metric* metric : listed_metrics()) {
    choices.push_back(metric->name);
    if (!metric->group.empty() && selected_metrics(metric->group).back() == metric) {
      choices.push_back(metric->group);
    }
  }
  return choices;
}

}  // namespace polygraphy
