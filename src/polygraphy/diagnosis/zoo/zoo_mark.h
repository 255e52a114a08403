// Colours of outcomes.
#pragma once

#include "pictures/report_page/report_page.h"
#include "polygraphy/diagnosis/zoo/zoo_result.h"

namespace polygraphy {

inline ReportMark mark_of(ZooOutcome outcome) {
  if (outcome == ZooOutcome::kPassed) return ReportMark::kGood;
  if (outcome == ZooOutcome::kNotCompared || outcome == ZooOutcome::kTooCoarse ||
      outcome == ZooOutcome::kKilled)
    return ReportMark::kWarning;
  return ReportMark::kBad;
}

}  // namespace polygraphy
