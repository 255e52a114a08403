// Labels as whole numbers: classes and tokens.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "polygraphy/comparison/task_metrics/labels.h"

namespace polygraphy {

// A text is numbers between blanks. Throws Error for other labels.
std::vector<int64_t> whole_numbers(const Label& label, const Labels& labels);
// "Label 3 of labels.txt".
std::string name_of(const Label& label, const Labels& labels);

}  // namespace polygraphy
