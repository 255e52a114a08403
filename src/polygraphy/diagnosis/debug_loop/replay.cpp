#include "polygraphy/diagnosis/debug_loop/replay.h"

#include "base/arrays/py_repr.h"
#include "base/os/mapped_file.h"
#include "formats/json_reader.h"
#include "formats/json_text.h"
#include "formats/record_json.h"

namespace polygraphy {
namespace {

constexpr std::string_view kClass = "IterationContext";

ReplayEntry read_entry(JsonReader& json, const std::string& round) {
  ReplayEntry entry;
  bool has_success = false;
  std::string key, name;
  json.enter_object();
  while (json.next_key(key)) {
    if (key == "state") {
      json.enter_object();
      while (json.next_key(name)) {
        if (json.peek() == JsonReader::Type::kNumber) {
          entry.state.set(name, json.read_integer());
        } else {
          json.skip_value();
        }
      }
    } else if (key == "iteration_info") {
      json.enter_object();
      while (json.next_key(name)) {
        if (name == "iteration") {
          entry.iteration = json.read_integer();
        } else {
          json.skip_value();
        }
      }
    } else if (key == "success") {
      entry.success = json.read_bool();
      has_success = true;
    } else {
      json.skip_value();
    }
  }
  if (!has_success) json.fail("the round " + py_str_repr(round) + " has no value for success");
  return entry;
}

}  // namespace

DebugReplay load_replay(const std::string& path) {
  const auto file = MappedFile::open(path);
  const auto bytes = file->bytes();
  JsonReader json(json_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path),
                  path);
  DebugReplay replay;
  std::string round;
  json.enter_object();
  while (json.next_key(round)) replay.set(round, read_entry(json, round));
  json.finish();
  return replay;
}

std::string to_json(const DebugReplay& replay) {
  StringSink sink;
  JsonWriter json(sink);
  json.begin_object();
  for (const auto& [round, entry] : replay) {
    json.key(round);
    json.begin_object();
    json.key("state");
    json.begin_object();
    for (const auto& [name, value] : entry.state) {
      write_member(json, name, value);
    }
    json.end_object();
    json.key("iteration_info");
    json.begin_object();
    write_member(json, "iteration", entry.iteration);
    json.end_object();
    write_member(json, "success", entry.success);
    write_member(json, "polygraphy_class", kClass);
    json.end_object();
  }
  json.end_object();
  return sink.text();
}

}  // namespace polygraphy
