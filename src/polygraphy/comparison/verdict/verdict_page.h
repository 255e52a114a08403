// A verdict at the top of a page.
#pragma once

#include "pictures/report_page/report_page.h"
#include "polygraphy/comparison/verdict/verdict.h"

namespace polygraphy {

inline ReportMark mark_of(Agreement agreement) {
  switch (agreement) {
    case Agreement::kAgrees:
      return ReportMark::kGood;
    case Agreement::kNotCompared:
      return ReportMark::kSkipped;
    case Agreement::kTooCoarse:
    case Agreement::kNotFinite:
      return ReportMark::kUndecided;
    case Agreement::kDiffers:
      return ReportMark::kBad;
    case Agreement::kFailed:
      break;
  }
  return ReportMark::kError;
}

inline ReportVerdict report_verdict(const Verdict& verdict) {
  return {.mark = mark_of(verdict.agreement), .headline = headline(verdict), .lines = {}};
}

}  // namespace polygraphy
