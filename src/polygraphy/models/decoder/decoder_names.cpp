#include "polygraphy/models/decoder/decoder_names.h"

#include "base/os/file_text.h"
#include "formats/json_reader.h"

namespace polygraphy {
namespace {

constexpr int64_t kLargestSize = int64_t{1} << 31;

int64_t read_size(JsonReader& json) {
  const size_t at = json.offset();
  const int64_t size = json.read_integer();
  if (size < 0 || size > kLargestSize) json.fail_at(at, "a size lies between 0 and 2147483648.");
  return size;
}

}  // namespace

DecoderNames parse_decoder_names(std::string_view text, std::string source) {
  JsonReader json(text, std::move(source));
  DecoderNames names;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "tokens") {
      names.tokens = json.read_string();
    } else if (key == "mask") {
      names.mask = json.read_string();
    } else if (key == "positions") {
      names.positions = json.read_string();
    } else if (key == "logits") {
      names.logits = json.read_string();
    } else if (key == "caches") {
      json.enter_object();
      for (std::string past; json.next_key(past);)
        names.caches.emplace_back(past, json.read_string());
    } else if (key == "sizes") {
      json.enter_object();
      for (std::string name; json.next_key(name);) names.sizes[name] = read_size(json);
    } else {
      json.fail("there is no member '" + key +
                "': a description has tokens, mask, positions, logits, caches and sizes.");
    }
  }
  json.finish();
  return names;
}

DecoderNames load_decoder_names(const std::string& path) {
  const auto file = MappedFile::open(path);
  return parse_decoder_names(text_of(*file), path);
}

}  // namespace polygraphy
