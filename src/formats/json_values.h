// Values of documents that JsonFields writes, read back. They throw FormatError.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/json_reader.h"

namespace polygraphy {

std::vector<std::string> read_texts(JsonReader& json);
std::vector<int64_t> read_numbers(JsonReader& json);

}  // namespace polygraphy
