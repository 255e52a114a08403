// Comparison functions as users type them: "simple", "tokens:kl=0.02,margin=0.5".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/comparison/compare/metric_options.h"

namespace polygraphy {

// The name of the function: the text up to a colon.
std::string_view function_of(std::string_view choice);

// The metrics of all choices, each once. Throws Error for an unknown function.
std::vector<const Metric*> chosen_metrics(std::span<const std::string> choices);

// Sets the options behind the colon, for all outputs: "axis=1" of "tokens" is its option
// tokens_axis. They are numbers. Throws Error for others, and for those out of bounds.
void set_arguments(std::string_view choice, MetricOptions& options);

}  // namespace polygraphy
