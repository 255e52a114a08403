#include "polygraphy/model_tools/codegen/loader_lines.h"

namespace polygraphy {

std::string LoaderLines::add(const std::string& variable, const std::string& text) {
  if (const std::string* known = variables_.find(text)) return *known;
  const int number = used_[variable]++;
  std::string name = number ? variable + "_" + std::to_string(number) : variable;
  text_ += name + " = " + text + "\n";
  variables_.set(text, name);
  return name;
}

}  // namespace polygraphy
