#include "polygraphy/comparison/compare/scripts/script_options.h"

#include "base/error.h"
#include "base/text.h"
#include "polygraphy/comparison/compare/accuracy/accuracy_json.h"

namespace polygraphy {
namespace {

JsonValue::List names(std::string_view texts) {
  JsonValue::List list;
  for (const auto text : split(texts, ' ')) list.emplace_back(text);
  return list;
}

GivenNumber given(const JsonValue& json) {
  // An int of Python's is printed and written without a point.
  return json.is_integer() ? GivenNumber(json.number(), std::to_string(json.integer()))
                           : GivenNumber(json.number());
}

JsonValue to_json(const GivenNumber& number) {
  if (!number.typed.empty() && number.typed.find_first_not_of("-0123456789") == std::string::npos) {
    return static_cast<int64_t>(number.value);
  }
  return number.value;
}

PerOutput<GivenNumber> numbers(const JsonValue& json) {
  PerOutput<GivenNumber> result;
  for (const auto& [name, value] : json.object()) result.set(name, given(value));
  return result;
}

PerOutput<std::string> texts(const JsonValue& json) {
  PerOutput<std::string> result;
  for (const auto& [name, value] : json.object()) result.set(name, value.text());
  return result;
}

}  // namespace

JsonValue result_classes() {
  JsonValue classes = JsonValue::Object();
  for (const Metric* metric : metrics()) {
    if (metric->result_class.empty()) continue;
    JsonValue one;
    one.set("figures", names(metric->figures));
    one.set("limits", names(metric->limits));
    one.set("threshold", metric->threshold_class);
    classes.set(metric->result_class, std::move(one));
  }
  return classes;
}

OutputResult judged_from(const JsonValue& verdict) {
  OutputResult result;
  result.passed = verdict["passed"].boolean();
  const std::string& kind = verdict["kind"].text();
  if (kind.empty()) return result;
  result.metric = metric_of_class(kind);
  if (result.metric == nullptr) throw FormatError("Python sent a result of class '" + kind + "'.");
  for (const JsonValue& figure : verdict["figures"].list()) {
    result.figures.push_back(figure.is_null() ? std::nullopt : std::optional(figure.number()));
  }
  result.threshold.error_stat = verdict["stat"].text();
  for (const JsonValue& limit : verdict["limits"].list()) {
    result.threshold.limits.push_back(given(limit));
  }
  return result;
}

void set_threshold(JsonValue& json, const Threshold& threshold) {
  JsonValue::List limits;
  for (const GivenNumber& limit : threshold.limits) limits.push_back(to_json(limit));
  json.set("stat", threshold.error_stat);
  json.set("limits", std::move(limits));
}

JsonValue to_json(const std::string& output, const OutputResult& result) {
  JsonValue json;
  json.set("name", output);
  json.set("passed", result.passed);
  if (result.figures.empty()) return json;
  JsonValue::List figures;
  for (const auto& figure : result.figures) {
    figures.push_back(figure ? JsonValue(*figure) : JsonValue());
  }
  json.set("kind", result.metric->result_class);
  json.set("figures", std::move(figures));
  set_threshold(json, result.threshold);
  return json;
}

MetricOptions metric_options_from(const JsonValue& json, const Metric& metric) {
  MetricOptions options;
  for (const MetricOption& option : metric.options) {
    const JsonValue& given = json[option.name];
    if (given.is_null()) continue;
    const std::string name(option.name);
    switch (option.type) {
      case MetricOption::Type::kNumber:
      case MetricOption::Type::kInteger:
        options.numbers.set(name, numbers(given));
        break;
      case MetricOption::Type::kText:
        options.texts.set(name, texts(given));
        break;
      case MetricOption::Type::kFolder:
        options.folders.set(name, given.text());
        break;
      case MetricOption::Type::kFlag:
        options.flags.set(name, given.boolean());
        break;
    }
  }
  options.check_shapes = json["check_shapes"].is_null() || json["check_shapes"].boolean();
  options.fail_fast = json["fail_fast"].boolean();
  return options;
}

}  // namespace polygraphy
