#include "graphsurgeon/onnx/message_text.h"

#include "base/text.h"

namespace graphsurgeon {

std::string on_one_line(std::string_view text) {
  std::string result;
  for (const std::string_view line : polygraphy::split_lines(text)) {
    if (polygraphy::strip(line).empty()) continue;
    if (!result.empty()) result += ' ';
    result += polygraphy::strip(line);
  }
  return result;
}

}  // namespace graphsurgeon
