#include "formats/yaml.h"

namespace polygraphy {

const YamlValue* YamlValue::find(std::string_view key) const {
  return map() ? map()->find(key) : nullptr;
}

std::string_view YamlValue::kind() const {
  constexpr std::string_view kKinds[] = {"nothing", "a truth value", "an integer", "a float",
                                         "a text",  "a list",        "a map"};
  return kKinds[data.index()];
}

}  // namespace polygraphy
