// Results of locate() as text.
#pragma once

#include <string>

#include "polygraphy/diagnosis/locate/locate_result.h"
#include "polygraphy/diagnosis/locate/report/locate_table.h"

namespace polygraphy {

// At most ten lines: the verdict, the worst nodes, the next steps. No newline at the end.
std::string locate_summary(const LocateResult& result);

// "guilty", "non-finite", "overflow" ...: the verdict on the whole model; "agree" without any
// error, "noise" if all errors are within the noise, "unknown" if a wrong node may have wrong
// inputs, "reference deviates", "not deterministic".
std::string locate_verdict(const LocateResult& result);

}  // namespace polygraphy
