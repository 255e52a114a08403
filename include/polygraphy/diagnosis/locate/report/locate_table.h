// The nodes of a result of locate() as a table of text.
#pragma once

#include <cstddef>
#include <string>

#include "polygraphy/diagnosis/locate/locate_result.h"

namespace polygraphy {

// The first `rows` ranked nodes, with a bar for each of the three errors. No newline at the end.
std::string locate_table(const LocateResult& result, size_t rows);

}  // namespace polygraphy
