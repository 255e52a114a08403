#include "polygraphy/comparison/compare/accuracy/accuracy_json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <tuple>

#include "base/error.h"
#include "base/text.h"
#include "formats/array_json.h"
#include "formats/record_json.h"
#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy {
namespace {

using Type = JsonReader::Type;

constexpr std::string_view kElemwise = "elemwise", kEmpty = "empty";

void write_given(JsonWriter& json, const GivenNumber& number) {
  int64_t whole = 0;
  const char* end = number.typed.data() + number.typed.size();
  const auto parsed = std::from_chars(number.typed.data(), end, whole);
  if (!number.typed.empty() && parsed.ec == std::errc{} && parsed.ptr == end) {
    json.integer(whole);
  } else {
    json.number(number.value);
  }
}

void write_threshold(JsonWriter& json, const Metric& metric, const Threshold& threshold) {
  json.begin_object();
  if (!threshold.error_stat.empty()) {
    write_member(json, "check_error_stat", threshold.error_stat);
  }
  const auto names = split(metric.limits, ' ');
  for (size_t i = 0; i < names.size() && i < threshold.limits.size(); ++i) {
    json.key(names[i]);
    write_given(json, threshold.limits[i]);
  }
  write_marker(json, metric.threshold_class);
  json.end_object();
}

GivenNumber read_given(JsonReader& json) {
  std::string_view text;
  GivenNumber number(json.read_number(&text));
  const bool whole = text.find_first_not_of("-0123456789") == std::string_view::npos;
  if (whole && text.size() < 19) number.typed = text;  // fits an int64
  return number;
}

// A result's object as it stands: the class comes last.
struct RawResult {
  OrderedMap<std::optional<double>> numbers;  // null: nullopt
  std::optional<bool> passed;
  OrderedMap<GivenNumber> limits;
  std::string error_stat, result_class, threshold_class;
};

void read_threshold(JsonReader& json, RawResult& raw) {
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    const Type type = json.peek();
    if (read_marker(json, key, raw.threshold_class)) continue;
    if (type == Type::kNumber) {
      raw.limits.set(key, read_given(json));
    } else if (key == "check_error_stat" && type == Type::kString) {
      raw.error_stat = json.read_string();
    } else {
      json.skip_value();
    }
  }
}

RawResult read_raw(JsonReader& json) {
  RawResult raw;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    const Type type = json.peek();
    if (read_marker(json, key, raw.result_class)) continue;
    if (key == "passed" && type == Type::kBool) {
      raw.passed = json.read_bool();
    } else if (key == "thresholds" && type == Type::kObject) {
      read_threshold(json, raw);
    } else if (type == Type::kNumber) {
      raw.numbers.set(key, json.read_number());
    } else if (type == Type::kNull) {
      json.read_null();
      raw.numbers.set(key, std::nullopt);
    } else {
      json.skip_value();
    }
  }
  return raw;
}

}  // namespace

const Metric* metric_of_class(std::string_view result_class) {
  for (const Metric* metric : metrics()) {
    if (!metric->result_class.empty() && metric->result_class == result_class) return metric;
  }
  return nullptr;
}

void write_judged_output(JsonWriter& json, const OutputResult& result) {
  if (!result.metric || result.figures.empty()) {
    json.boolean(result.passed);
    return;
  }
  const Metric& metric = *result.metric;
  json.begin_object();
  const auto names = split(metric.figures, ' ');
  for (size_t i = 0; i < names.size() && i < result.figures.size(); ++i) {
    json.key(names[i]);
    if (result.figures[i]) {
      json.number(*result.figures[i]);
    } else {
      json.null();
    }
  }
  json.key("thresholds");
  write_threshold(json, metric, result.threshold);
  if (!result.threshold.error_stat.empty()) {
    json.key("passed");
    if (result.threshold.error_stat == kElemwise) {
      json.boolean(result.passed);
    } else {
      json.null();  // follows from the figures
    }
  }
  write_marker(json, metric.result_class);
  json.end_object();
}

OutputResult read_judged_output(JsonReader& json) {
  OutputResult result;
  if (json.peek() == Type::kBool) {
    result.passed = json.read_bool();
    return result;
  }
  const size_t start = json.offset();
  const RawResult raw = read_raw(json);
  result.metric = metric_of_class(raw.result_class);
  if (result.metric == nullptr) {
    if (raw.result_class.empty()) json.fail_at(start, "expected the result of a comparison.");
    throw Error(json.source() + ": Could not decode serialized type: " + raw.result_class +
                    ". This could be because a required module is missing. ",
                "Results of comparison functions from scripts can be read only by those scripts.");
  }
  for (const auto name : split(result.metric->figures, ' ')) {
    const auto* number = raw.numbers.find(name);
    result.figures.push_back(number == nullptr ? std::nullopt : *number);
  }
  result.threshold.error_stat = raw.error_stat;
  for (const auto name : split(result.metric->limits, ' ')) {
    const GivenNumber* limit = raw.limits.find(name);
    if (limit == nullptr) {
      json.fail_at(start,
                   "a " + raw.result_class + " without the threshold '" + std::string(name) + "'.");
    }
    result.threshold.limits.push_back(*limit);
  }
  const bool simple = result.metric->limits != "threshold";
  if (simple && result.threshold.error_stat.empty()) result.threshold.error_stat = kElemwise;
  result.passed = raw.passed ? *raw.passed : result.metric->judge(result.figures, result.threshold);
  return result;
}

namespace {

JudgedIteration read_iteration(JsonReader& json) {
  JudgedIteration outputs;
  json.enter_object();
  for (std::string name; json.next_key(name);) outputs.set(name, read_judged_output(json));
  return outputs;
}

JudgedPair read_pair(JsonReader& json) {
  JudgedPair pair;
  json.enter_array();
  for (size_t i = 0; json.next_element(); ++i) {
    if (i > 1) {
      json.skip_value();
      continue;
    }
    json.enter_array();
    for (size_t k = 0; json.next_element(); ++k) {
      if (i == 1) {
        pair.iterations.push_back(read_iteration(json));
      } else if (k < 2) {
        (k == 0 ? pair.runner0 : pair.runner1) = json.read_string();
      } else {
        json.skip_value();
      }
    }
  }
  return pair;
}

std::vector<std::vector<std::string>> read_empty(JsonReader& json) {
  std::vector<std::vector<std::string>> empty;
  json.enter_array();
  while (json.next_element()) {
    std::vector<std::string>& of_pair = empty.emplace_back();
    json.enter_array();
    while (json.next_element()) of_pair.push_back(json.read_string());
  }
  return empty;
}

void mark_empty(const std::vector<std::string>& names, JudgedPair& pair) {
  for (const std::string& name : names) {
    for (JudgedIteration& outputs : pair.iterations) {
      if (OutputResult* result = outputs.find(name)) result->empty = true;
    }
  }
}

// Files of the original do not name them. Of no numbers, the mean is NaN, but the largest is 0.
bool is_of_nothing(const OutputResult& result) {
  double largest = -1, mean = 0;
  for (const auto& [name, number] : known_figures(result)) {
    if (name == "max_absdiff") largest = number;
    if (name == "mean_absdiff") mean = number;
  }
  return largest == 0 && std::isnan(mean);
}

// Calls visit(place, result) with each result, and with its place in those of each function.
void for_each_result(std::vector<AccuracyResult>& comparisons, const auto& visit) {
  for (AccuracyResult& of : comparisons) {
    for (size_t pair = 0; pair < of.pairs.size(); ++pair) {
      std::vector<JudgedIteration>& iterations = of.pairs[pair].iterations;
      for (size_t i = 0; i < iterations.size(); ++i) {
        for (auto& [name, result] : iterations[i]) visit(std::tuple(pair, i, name), result);
      }
    }
  }
}

// The figures of one function say it for all.
void mark_hollow(std::vector<AccuracyResult>& comparisons) {
  std::set<std::tuple<size_t, size_t, std::string>> hollow;
  for_each_result(comparisons, [&](const auto& place, const OutputResult& result) {
    if (is_of_nothing(result)) hollow.insert(place);
  });
  for_each_result(comparisons, [&](const auto& place, OutputResult& result) {
    if (hollow.contains(place)) result.empty = true;
  });
}

AccuracyResult read_result(JsonReader& json) {
  AccuracyResult result;
  std::vector<std::vector<std::string>> empty;
  std::string marker;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    const Type type = json.peek();
    if (read_marker(json, key, marker)) continue;
    if (key == "lst" && type == Type::kArray) {
      json.enter_array();
      while (json.next_element()) result.pairs.push_back(read_pair(json));
    } else if (key == "aggregation" && type == Type::kString) {
      result.average = json.read_string() == "average";
    } else if (key == kEmpty && type == Type::kArray) {
      empty = read_empty(json);
    } else {
      json.skip_value();
    }
  }
  for (size_t i = 0; i < std::min(empty.size(), result.pairs.size()); ++i)
    mark_empty(empty[i], result.pairs[i]);
  return result;
}

}  // namespace

AccuracyResults read_accuracy_results(JsonReader json) {
  AccuracyResults results;
  json.enter_array();
  while (json.next_element()) results.comparisons.push_back(read_result(json));
  mark_hollow(results.comparisons);
  return results;
}

void begin_accuracy_list(JsonWriter& json) {
  json.begin_object();
  json.key("lst");
  json.begin_array();
}

void begin_judged_pair(JsonWriter& json, std::string_view runner0, std::string_view runner1) {
  json.begin_array();
  json.begin_array();
  json.string(runner0);
  json.string(runner1);
  json.end_array();
  json.begin_array();
}

void end_judged_pair(JsonWriter& json) {
  json.end_array();
  json.end_array();
}

std::vector<std::string> EmptyOutputs::names() const {
  std::vector<std::string> names;
  for (const auto& [name, empty] : empty_) {
    if (empty) names.push_back(name);
  }
  return names;
}

void end_accuracy_result(JsonWriter& json, bool average, const std::vector<EmptyOutputs>& empty) {
  json.end_array();
  write_member(json, "aggregation", average ? "average" : "per_sample");
  const auto has_any = [](const EmptyOutputs& of_pair) { return !of_pair.names().empty(); };
  if (std::ranges::any_of(empty, has_any)) {
    json.key(kEmpty);
    json.begin_array();
    for (const EmptyOutputs& of_pair : empty) {
      json.begin_array();
      for (const std::string& name : of_pair.names()) json.string(name);
      json.end_array();
    }
    json.end_array();
  }
  write_marker(json, "AccuracyResult");
  json.end_object();
}

void end_accuracy_results(JsonWriter& json) {
  json.end_array();
  write_marker(json, "AccuracyResults");
  json.end_object();
}

}  // namespace polygraphy
