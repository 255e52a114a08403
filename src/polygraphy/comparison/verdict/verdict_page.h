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
    case Agreement::kTooCoarse:
    case Agreement::kNotFinite:
      return ReportMark::kWarning;
    case Agreement::kFailed:
    case Agreement::kDiffers:
      break;
  }
  return ReportMark::kBad;
}

inline ReportVerdict report_verdict(const Verdict& verdict) {
  return {.mark = mark_of(verdict.agreement), .headline = headline(verdict), .lines = {}};
}

}  // namespace polygraphy
