#include "polygraphy/comparison/run/runner_label.h"

#include "base/text.h"

namespace polygraphy {

std::string runner_label(std::string_view runner_name) {
  std::string text(runner_name);
  const size_t length = code_points(runner_name);
  if (length < 35) text.append(35 - length, ' ');
  return text;
}

}  // namespace polygraphy
