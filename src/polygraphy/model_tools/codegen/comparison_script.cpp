#include "polygraphy/model_tools/codegen/comparison_script.h"

#include <algorithm>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/text.h"
#include "polygraphy/model_tools/codegen/run_script.h"

namespace polygraphy {
namespace {

using Type = MetricOption::Type;

std::string python_of(const GivenNumber& number) {
  return number.typed.empty() ? py_number(number.value) : number.typed;
}

template <typename T, typename Text>
std::string dict_of(const PerOutput<T>& values, Text text) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const auto& [output, value] : values) entries.emplace_back(output, text(value));
  return entries.empty() ? std::string() : py_dict(entries);
}

// Empty where the option was not given.
std::string value_of(const MetricOption& option, const MetricOptions& options) {
  switch (option.type) {
    case Type::kNumber:
    case Type::kInteger:
      return dict_of(options.numbers_of(option.name), python_of);
    case Type::kText:
      return dict_of(options.texts_of(option.name),
                     [](const std::string& text) { return py_str_repr(text); });
    case Type::kFolder: {
      const std::string folder = options.folder(option.name);
      return folder.empty() ? folder : py_str_repr(folder);
    }
    case Type::kFlag:
      return options.flag(option.name) ? "True" : "";
  }
  return {};
}

}  // namespace

ComparisonScript comparison_script(const Metric& metric, const MetricOptions& options) {
  if (metric.python_class.empty()) {
    throw Error(kNotInOriginal, "The comparison function " + std::string(metric.name) +
                                    " cannot be written as a script for the original: it has no "
                                    "such function.");
  }
  PythonCall call{std::string(metric.python_class)};
  for (const std::string_view keyword : split(metric.python_arguments, ' ')) {
    if (keyword == "check_shapes") call.flag_if(keyword, !options.check_shapes, "False");
    if (keyword == "fail_fast") call.flag_if(keyword, options.fail_fast);
    const auto option = std::find_if(metric.options.begin(), metric.options.end(),
                                     [&](const MetricOption& one) { return one.name == keyword; });
    if (option != metric.options.end()) call.arg_if(keyword, value_of(*option, options));
  }
  // Comparing uses SimpleCompareFunc() by itself.
  const bool is_default = metric.name == "simple" && !call.has_arguments();
  return {std::string(metric.name) + "_compare_func",
          is_default ? std::string() : std::string(metric.python_class), std::move(call)};
}

bool has_postprocess_script(const std::string& postprocess) {
  const auto function = parse_postprocess(postprocess);
  return function->name() == "TopKPostprocessFunc" && !function->python_argument().empty();
}

std::string postprocess_script(
    const std::vector<std::pair<std::string, std::string>>& postprocesses) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const auto& [output, text] : postprocesses) {
    if (!has_postprocess_script(text)) {
      throw Error(kNotInOriginal,
                  "The post-processing " + text +
                      " cannot be written as a script for the original: it has no such function.");
    }
    entries.emplace_back(output, parse_postprocess(text)->python_argument());
  }
  return entries.empty() ? std::string() : py_dict(entries);
}

}  // namespace polygraphy
