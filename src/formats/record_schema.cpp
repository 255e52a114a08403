#include "formats/record_schema.h"

namespace polygraphy {
namespace {

// Finite numbers are numbers; others are texts, as all our documents have them.
constexpr std::string_view kNumber =
    R"({"description":"A number; one that is not finite is a text.",)"
    R"("anyOf":[{"type":"number"},{"enum":["NaN","Infinity","-Infinity"]}]})";

}  // namespace

std::string RecordSchemas::json(std::string_view root) const {
  std::string text = R"({"$schema":"https://json-schema.org/draft/2020-12/schema",)";
  if (!root.empty()) text += "\"$ref\":" + json_quoted("#/$defs/" + std::string(root)) + ",";
  text += "\"$defs\":{\"number\":" + std::string(kNumber);
  for (const auto& [name, definition] : definitions_)
    text += "," + json_quoted(name) + ":" + definition;
  return text + "}}\n";
}

}  // namespace polygraphy
