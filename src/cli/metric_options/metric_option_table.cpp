#include "cli/metric_options/metric_option_table.h"

namespace polygraphy::cli {
namespace {

Option option_of(const Metric& metric, const MetricOption& spec, std::string_view functions) {
  const bool folder = spec.type == MetricOption::Type::kFolder;
  return {.spellings = spec.flags,
          .help = spec.help,
          .arity = spec.type == MetricOption::Type::kFlag ? Arity::kFlag
                   : folder                               ? Arity::kOne
                                                          : Arity::kOneOrMore,
          .type = folder ? ValueType::kFolder : ValueType::kText,
          .files = folder ? FileUse::kWritten : FileUse::kNone,
          .metavar = spec.metavar,
          .origin = metric.python_class.empty() ? Origin::kOurs : Origin::kOriginal,
          .functions = functions};
}

}  // namespace

std::vector<Option> metric_option_table(bool (*takes)(const Metric& metric),
                                        std::deque<std::string>& texts) {
  std::vector<Option> options;
  for (const Metric* metric : listed_metrics()) {
    if (!takes(*metric)) continue;
    const std::string_view functions =
        texts.emplace_back(std::string(metric->name) + (metric->group.empty() ? "" : " ") +
                           std::string(metric->group));
    for (const MetricOption& spec : metric->options)
      options.push_back(option_of(*metric, spec, functions));
  }
  return options;
}

}  // namespace polygraphy::cli
