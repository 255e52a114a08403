#include "api/given_comparison.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/near_names.h"
#include "base/text.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/comparison/compare/metric_choice.h"

namespace native {

using polygraphy::CompareOptions;
using polygraphy::Error;
using polygraphy::Metric;
using polygraphy::MetricOption;

namespace {

void set_option(const MetricOption& option, PyObject* values, polygraphy::MetricOptions& options) {
  const std::string name(option.name);
  for_each_item(values, [&](const std::string& output, PyObject* value) {
    switch (option.type) {
      case MetricOption::Type::kNumber:
        options.numbers[name].set(output, {to_double(value)});
        break;
      case MetricOption::Type::kInteger: {
        const int64_t whole = to_int64(value);
        options.numbers[name].set(output, {static_cast<double>(whole), std::to_string(whole)});
        break;
      }
      case MetricOption::Type::kText: {
        const std::string text(text_of(value));
        const auto choices = polygraphy::split(option.choices, ' ');
        if (std::ranges::find(choices, text) == choices.end()) {
          throw Error("'" + text + "' is not a " + name + ".",
                      "Choices: " + std::string(option.choices) + ".");
        }
        options.texts[name].set(output, text);
        break;
      }
      case MetricOption::Type::kFolder:
        options.folders.set(name, std::string(text_of(value)));
        break;
      case MetricOption::Type::kFlag:
        options.flags.set(name, is_true(value));
        break;
    }
  });
}

// `values`: options by name, each a dict of values by output, "" being all others.
void set_metric_options(PyObject* values, GivenMetrics& given) {
  std::set<std::string> known;
  for (const Metric* metric : given.metrics) {
    for (const MetricOption& option : metric->options) {
      const std::string name(option.name);
      known.insert(name);
      if (PyObject* const value = PyDict_GetItemString(values, name.c_str()))
        set_option(option, value, given.options);
    }
  }
  for_each_item(values, [&](const std::string& name, PyObject*) {
    if (known.contains(name)) return;
    throw Error(
        "The selected metrics have no option '" + name + "'.",
        known.empty() ? "Options: none." : polygraphy::unknown_name_hint(name, known, "Options"));
  });
}

}  // namespace

GivenMetrics given_metrics(const Keywords& keywords) {
  const std::vector<std::string> choices = keywords.texts("metrics");
  GivenMetrics given{.metrics = polygraphy::chosen_metrics(choices)};
  set_metric_options(keywords.get("metric_options"), given);
  for (const std::string& choice : choices) polygraphy::set_arguments(choice, given.options);
  return given;
}

CompareOptions compare_options(const Keywords& keywords) {
  GivenMetrics given = given_metrics(keywords);
  CompareOptions options;
  options.metrics = std::move(given.metrics);
  options.metric_options = std::move(given.options);
  options.metric_options.check_shapes = keywords.flag("check_shapes");
  options.metric_options.fail_fast = options.fail_fast = keywords.flag("fail_fast");
  options.check_average = keywords.flag("check_average");
  options.validate = keywords.flag("validate");
  for_each_item(keywords.get("postprocess"), [&](const std::string& output, PyObject* text) {
    options.postprocess.set(output, polygraphy::parse_postprocess(text_of(text)));
  });
  return options;
}

}  // namespace native
