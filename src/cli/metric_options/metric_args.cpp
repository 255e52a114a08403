#include "cli/metric_options/metric_args.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/py_numbers.h"
#include "base/text.h"
#include "cli/syntax/value_parsing.h"
#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy::cli {
namespace {

[[noreturn]] void refuse(const ParsedArgs& args, std::string_view key, const std::string& output,
                         const std::string& text, const std::string& what,
                         const std::string& example) {
  throw Error(args.display(key) + ": " + py_str_repr(text) + " is not a " + what +
                  (output.empty() ? "" : " (output " + py_str_repr(output) + ")"),
              "Give a number for all outputs, such as " + example +
                  ", or one per output: NAME:" + example + ".");
}

// Throw Error naming the option and the output for a value that is not a number, or not a whole
// one.
PerOutput<GivenNumber> numbers_per_output(const ParsedArgs& args, std::string_view key) {
  PerOutput<GivenNumber> result;
  for (const auto& [output, text] : parse_key_values(args.list(key))) {
    const auto number = parse_float(text);
    if (!number) refuse(args, key, output, text, "number", "1e-3");
    bool too_big = false;
    const auto whole = parse_int(text, &too_big);
    result.set(output, {*number, whole && !too_big ? std::to_string(*whole) : std::string()});
  }
  return result;
}

PerOutput<int64_t> integers_per_output(const ParsedArgs& args, std::string_view key) {
  PerOutput<int64_t> result;
  for (const auto& [output, text] : parse_key_values(args.list(key))) {
    bool too_big = false;
    const auto number = parse_int(text, &too_big);
    if (!number || too_big) refuse(args, key, output, text, "whole number", "2");
    result.set(output, *number);
  }
  return result;
}

using Type = MetricOption::Type;

std::string of_output(const std::string& output) {
  return output.empty() ? "" : " (output " + py_str_repr(output) + ")";
}

void check_bounds(const MetricOption& option, const PerOutput<GivenNumber>& numbers) {
  for (const auto& [output, number] : numbers) {
    if (is_within_bounds(option, number)) continue;
    const std::string flag(option.flag());
    if (std::isnan(number.value)) {
      throw Error(flag + ": nan cannot be a threshold" + of_output(output), "Give a number.");
    }
    if (option.least == 0 && std::isinf(option.most)) {
      throw Error(flag + " must not be negative, but was: " + number.repr() + of_output(output));
    }
    throw Error(flag + ": " + py_float_repr(number.value) + " is not between " +
                format_g(option.least, 6) + " and " + format_g(option.most, 6) + of_output(output));
  }
}

PerOutput<GivenNumber> integers(const ParsedArgs& args, std::string_view flag) {
  PerOutput<GivenNumber> numbers;
  for (const auto& [output, value] : integers_per_output(args, flag)) {
    numbers.set(output, {static_cast<double>(value), std::to_string(value)});
  }
  return numbers;
}

PerOutput<std::string> texts(const ParsedArgs& args, const MetricOption& option) {
  PerOutput<std::string> result;
  const auto choices = split(option.choices, ' ');
  for (const auto& [output, text] : parse_key_values(args.list(option.flag()))) {
    if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
      throw unknown_choice(option.name, text, choices);
    }
    result.set(output, text);
  }
  return result;
}

PerOutput<GivenNumber> numbers_of(const ParsedArgs& args, const MetricOption& option) {
  const std::string_view flag = option.flag();
  PerOutput<GivenNumber> numbers =
      option.type == Type::kNumber ? numbers_per_output(args, flag) : integers(args, flag);
  check_bounds(option, numbers);
  return numbers;
}

}  // namespace

PerOutput<GivenNumber> metric_numbers(const ParsedArgs& args, std::string_view flag) {
  for (const Metric* metric : listed_metrics()) {
    for (const MetricOption& option : metric->options) {
      if (option.flag() == flag) return numbers_of(args, option);
    }
  }
  assert(false && "no option of a metric");
  return {};
}

MetricOptions metric_options(const ParsedArgs& args,
                             const std::function<std::string(const std::string&)>& path) {
  MetricOptions options;
  options.check_shapes = !args.has("--no-shape-check");
  // Commands that judge a whole model do not stop at an output.
  options.fail_fast = args.syntax().find("--fail-fast") && args.has("--fail-fast");
  for (const Metric* metric : listed_metrics()) {
    for (const MetricOption& option : metric->options) {
      const std::string_view flag = option.flag();
      const std::string name(option.name);
      if (args.syntax().find(flag) == nullptr || !args.has(flag)) continue;
      switch (option.type) {
        case Type::kNumber:
        case Type::kInteger:
          options.numbers[name] = numbers_of(args, option);
          break;
        case Type::kText:
          options.texts[name] = texts(args, option);
          break;
        case Type::kFolder:
          options.folders[name] = path(*args.text(flag));
          break;
        case Type::kFlag:
          options.flags[name] = true;
          break;
      }
    }
  }
  return options;
}

}  // namespace polygraphy::cli
