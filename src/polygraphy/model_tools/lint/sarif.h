// The findings as SARIF 2.1.0, which CI systems show beside the change that brought them.
#pragma once

#include <string>
#include <string_view>

#include "polygraphy/model_tools/lint/report.h"

namespace polygraphy {

// `model`: the path of the model's file, as the reader of the report knows it.
std::string to_sarif(const LintReport& report, std::string_view model);

}  // namespace polygraphy
