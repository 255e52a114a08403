// Results of comparison functions, described for documents.
#pragma once

#include "base/ordered_map.h"
#include "base/record.h"
#include "polygraphy/comparison/compare/metric_result.h"

namespace polygraphy {

OrderedMap<double> figures_by_name(const OutputResult& result);  // those that are known
OrderedMap<double> limits_by_name(const OutputResult& result);

constexpr auto record_of(RecordOf<OutputResult>) {
  return record<OutputResult>(
      "FunctionResult", "The result of a comparison function for an output.",
      derived(
          "name", [](const OutputResult& of) { return of.metric ? name_of(*of.metric) : "script"; },
          "Of the function (\"simple\"); \"script\" without figures."),
      member("passed", &OutputResult::passed, "Its verdict."),
      derived("figures", figures_by_name, "By name (\"max_absdiff\")."),
      derived("limits", limits_by_name, "Of the figures, by name (\"atol\").").if_set(),
      derived(
          "statistic",
          [](const OutputResult& of) -> std::string_view { return of.threshold.error_stat; },
          "The statistic that the limits apply to (\"elemwise\", \"max\").")
          .if_set(),
      member("reason", &OutputResult::reason, "Why, where the figures do not say it.").if_set());
}

}  // namespace polygraphy
