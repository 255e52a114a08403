// Results and options of comparison functions in messages to and from scripts.
#pragma once

#include <string>

#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/data/user_python/json_value.h"

namespace polygraphy {

// The classes of results that have figures: names of figures and limits, class of the threshold.
JsonValue result_classes();

// {"passed", and with figures "kind", "figures", "stat", "limits"}. Throws FormatError.
OutputResult judged_from(const JsonValue& verdict);
JsonValue to_json(const std::string& output, const OutputResult& result);
void set_threshold(JsonValue& json, const Threshold& threshold);

// As the classes of comparator.py send them. Throws Error.
MetricOptions metric_options_from(const JsonValue& json, const Metric& metric);

}  // namespace polygraphy
