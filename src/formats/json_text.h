// The text of a JSON file.
#pragma once

#include <string>
#include <string_view>

namespace polygraphy {

// `bytes` without the mark that some editors put in front of UTF-8. Throws FormatError, naming
// `source`, for UTF-16 and UTF-32: JSON is UTF-8.
std::string_view json_text(std::string_view bytes, const std::string& source);

}  // namespace polygraphy
