#include "polygraphy/runtimes/runner_spec/runner_spec_json.h"

#include <cmath>

#include "formats/record_json.h"
#include "polygraphy/runtimes/runner_spec/runner_spec_fields.h"

namespace polygraphy {
namespace {

template <typename Value>
void put(JsonWriter& json, std::string_view key, const Value& value) {
  json.key(key);
  write_value(json, value);
}

void write_options(JsonWriter& json, const BackendOptions& options) {
  json.key("options");
  json.begin_array();
  for (const auto& [key, values] : options) {
    json.begin_array();
    json.string(key);
    write_value(json, values);
    json.end_array();
  }
  json.end_array();
}

// [key, [values]]
void read_option(JsonReader& json, BackendOptions& options) {
  json.enter_array();
  if (!json.next_element()) json.fail("an option has a key and a list of values");
  std::string key = json.read_string();
  if (!json.next_element()) json.fail("an option has a key and a list of values");
  options.emplace_back(std::move(key), read_as<std::vector<std::string>>(json));
  if (json.next_element()) json.fail("an option has a key and a list of values");
}

bool read_flag(std::string_view member, JsonReader& json, RunnerSpec& spec) {
  for (const RunnerSpecFlag& flag : kRunnerSpecFlags) {
    if (flag.member != member) continue;
    flag.of(spec) = json.read_bool();
    return true;
  }
  return false;
}

void read_member(const std::string& member, JsonReader& json, RunnerSpec& spec) {
  if (read_flag(member, json, spec)) return;
  if (member == "backend") {
    spec.backend = json.read_string();
  } else if (member == "program") {
    spec.program = json.read_string();
  } else if (member == "library") {
    spec.library = json.read_string();
  } else if (member == "model") {
    spec.model = json.read_string();
  } else if (member == "name") {
    spec.name = json.read_string();
  } else if (member == "timeout") {
    spec.timeout = json.read_number();
    if (!(*spec.timeout > 0) || !std::isfinite(*spec.timeout))
      json.fail("\"timeout\" is a positive number of seconds");
  } else if (member == "inputs") {
    for (const std::string& input : read_as<std::vector<std::string>>(json))
      add_input(input, spec.session.inputs);
  } else if (member == "options") {
    json.enter_array();
    while (json.next_element()) read_option(json, spec.session.options);
  } else {
    json.fail("a runner has no member \"" + member + "\"");
  }
}

}  // namespace

std::string runner_spec_json(const RunnerSpec& spec) {
  StringSink sink;
  JsonWriter json(sink);
  json.begin_object();
  spec.backend.empty() ? put(json, "program", spec.program) : put(json, "backend", spec.backend);
  if (!spec.library.empty()) put(json, "library", spec.library);
  if (!spec.model.empty()) put(json, "model", spec.model);
  if (!spec.session.options.empty()) write_options(json, spec.session.options);
  if (!spec.session.inputs.empty()) put(json, "inputs", input_texts(spec.session.inputs));
  for (const RunnerSpecFlag& flag : kRunnerSpecFlags) {
    if (flag.of(spec)) put(json, flag.member, true);
  }
  if (spec.timeout) put(json, "timeout", *spec.timeout);
  if (!spec.name.empty()) put(json, "name", spec.name);
  json.end_object();
  return sink.text();
}

RunnerSpec parse_runner_spec_json(std::string_view text) {
  JsonReader json(text, "the runner");
  RunnerSpec spec;
  std::string member;
  json.enter_object();
  while (json.next_key(member)) read_member(member, json, spec);
  json.finish();
  if (spec.backend.empty() == spec.program.empty()) {
    throw Error(kBadRunnerSpec, "A runner has a \"backend\" or a \"program\", and not both",
                "Name the back end: {\"backend\": \"onnxrt\"}");
  }
  return spec;
}

}  // namespace polygraphy
