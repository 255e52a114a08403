// Colours of outcomes.
#pragma once

#include "pictures/report_page/report_page.h"
#include "polygraphy/diagnosis/zoo/zoo_result.h"

namespace polygraphy {

inline ReportMark mark_of(ZooOutcome outcome) {
  if (outcome == ZooOutcome::kPassed) return ReportMark::kGood;
  if (outcome == ZooOutcome::kNotCompared) return ReportMark::kSkipped;
  if (outcome == ZooOutcome::kTooCoarse || outcome == ZooOutcome::kNotFinite)
    return ReportMark::kUndecided;
  const bool ran = outcome == ZooOutcome::kOtherShape || outcome == ZooOutcome::kDiffers;
  return ran ? ReportMark::kBad : ReportMark::kError;
}

}  // namespace polygraphy
