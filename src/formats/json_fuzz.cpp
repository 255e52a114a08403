// Input: JSON text. A text that can be skipped can also be read value by value, and written again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/error.h"
#include "formats/json_reader.h"
#include "formats/json_writer.h"

using polygraphy::FormatError;
using polygraphy::JsonReader;
using polygraphy::JsonWriter;

namespace {

// Copies one value. Recursion is bounded by the reader's limit on depth.
void copy(JsonReader& json, JsonWriter& out) {
  std::string key;
  switch (json.peek()) {
    case JsonReader::Type::kObject:
      json.enter_object();
      out.begin_object();
      while (json.next_key(key)) {
        out.key(key);
        copy(json, out);
      }
      out.end_object();
      break;
    case JsonReader::Type::kArray:
      json.enter_array();
      out.begin_array();
      while (json.next_element()) copy(json, out);
      out.end_array();
      break;
    case JsonReader::Type::kString:
      out.string(json.read_string());
      break;
    case JsonReader::Type::kNumber:
      out.number(json.read_number());
      break;
    case JsonReader::Type::kBool:
      out.boolean(json.read_bool());
      break;
    case JsonReader::Type::kNull:
      json.read_null();
      out.null();
      break;
  }
}

std::string copied(std::string_view text) {
  polygraphy::StringSink sink;
  JsonReader json(text, "input");
  JsonWriter out(sink);
  copy(json, out);
  json.finish();
  return sink.text();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string once;
  try {
    once = copied(text);
  } catch (const FormatError&) {
    return 0;
  }
  JsonReader skipped(text, "input");
  skipped.skip_value();
  skipped.finish();
  if (copied(once) != once) std::abort();
  return 0;
}
