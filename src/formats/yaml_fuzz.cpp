// Input: a text of YAML. A text that can be read can be written, and reads as the same text again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "formats/yaml_reader.h"
#include "formats/yaml_writer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace polygraphy;
  std::vector<YamlValue> documents;
  try {
    documents = read_yaml({reinterpret_cast<const char*>(data), size}, "fuzz");
  } catch (const Error&) {
    return 0;  // none
  }
  const std::string text = yaml_text(documents);
  if (yaml_text(read_yaml(text, "written")) != text) std::abort();
  return 0;
}
