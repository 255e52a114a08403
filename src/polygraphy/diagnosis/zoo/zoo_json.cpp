#include "polygraphy/diagnosis/zoo/zoo_json.h"

#include <limits>
#include <optional>
#include <span>

#include "formats/base64.h"
#include "formats/json_fields.h"
#include "formats/json_reader.h"
#include "formats/json_values.h"
#include "polygraphy/comparison/verdict/verdict_json.h"

namespace polygraphy {
namespace {

using Type = JsonReader::Type;

std::string base64_of(const std::string& bytes) {
  std::string text(Base64Encoder::text_limit(bytes.size()), '\0');
  Base64Encoder encoder;
  size_t size = encoder.encode(std::as_bytes(std::span(bytes)), text.data());
  size += encoder.finish(text.data() + size);
  text.resize(size);
  return text;
}

class ZooJson : JsonFields {
 public:
  explicit ZooJson(TextSink& sink) : JsonFields(sink) {}

  void write(const ZooResult& result) {
    json_.begin_object();
    integer("polygraphy_zoo", 1);
    json_.key("answer");
    write_verdict(json_, result.verdict());
    list("engines", result.engines);
    json_.key("versions");
    json_.begin_object();
    for (const auto& [engine, version] : result.versions) text(engine, version);
    json_.end_object();
    json_.key("models");
    json_.begin_array();
    for (const ZooModelResult& model : result.models) write(model);
    json_.end_array();
    json_.end_object();
  }

 private:
  void write(const ZooModelResult& model) {
    json_.begin_object();
    text("model", model.model);
    text("outcome", name_of(model.outcome()));
    if (!model.problem.empty()) {
      text("stage", name_of(ZooStage::kSetup));
      text("problem", model.problem);
    }
    integer("nodes", model.nodes);
    if (!model.inputs.empty()) list("inputs", model.inputs);
    text("reference", model.reference);
    json_.key("engines");
    json_.begin_array();
    for (const ZooEngineResult& engine : model.engines) write(engine);
    json_.end_array();
    json_.end_object();
  }

  void write(const JudgedUnit& output) {
    json_.begin_object();
    text("name", output.name);
    boolean("passed", !output.failed());
    number_or_null("excess", output.excess);
    json_.end_object();
  }

  void write(const ZooEngineResult& engine) {
    json_.begin_object();
    text("engine", engine.engine);
    text("outcome", name_of(engine.outcome));
    text("stage", name_of(engine.stage));
    if (!engine.reason.empty()) text("reason", engine.reason);
    if (!engine.details.empty()) text("details", engine.details);
    number_or_null("excess", engine.excess);
    if (engine.reduced) {
      json_.key("reduced");
      json_.begin_object();
      integer("nodes", engine.reduced->nodes);
      text("onnx", base64_of(engine.reduced->onnx));
      json_.end_object();
    }
    if (!engine.outputs.empty()) {
      json_.key("outputs");
      json_.begin_array();
      for (const JudgedUnit& output : engine.outputs) write(output);
      json_.end_array();
    }
    list("guilty", engine.guilty);
    json_.end_object();
  }
};

std::optional<double> read_excess(JsonReader& json) {
  if (json.peek() == Type::kNumber) return json.read_number();
  if (json.peek() != Type::kString) {
    json.read_null();
    return std::nullopt;
  }
  const size_t at = json.offset();
  const std::string text = json.read_string();
  if (text != "Infinity") json.fail_at(at, "expected a number or Infinity.");
  return std::numeric_limits<double>::infinity();
}

// A word of a table. `what`: "outcome".
template <typename Word>
Word read_word(JsonReader& json, std::optional<Word> (*parse)(std::string_view), const char* what) {
  const size_t at = json.offset();
  const std::string name = json.read_string();
  const auto word = parse(name);
  if (!word) json.fail_at(at, "'" + name + "' is no " + what + ".");
  return *word;
}

JudgedUnit read_output(JsonReader& json) {
  JudgedUnit output;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "name") {
      output.name = json.read_string();
    } else if (key == "passed") {
      if (json.read_bool()) output.agreement = Agreement::kAgrees;
    } else if (key == "excess") {
      output.excess = read_excess(json);
    } else {
      json.skip_value();
    }
  }
  return output;
}

ReducedModel read_reduced(JsonReader& json) {
  ReducedModel reduced;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "nodes") {
      reduced.nodes = json.read_integer();
    } else if (key == "onnx") {
      const size_t at = json.offset();
      const std::string text = json.read_string();
      const auto size = decoded_base64_size(text);
      reduced.onnx.resize(size.value_or(0));
      if (!size || !decode_base64(text, reinterpret_cast<std::byte*>(reduced.onnx.data())))
        json.fail_at(at, "this is not base64.");
    } else {
      json.skip_value();
    }
  }
  return reduced;
}

ZooEngineResult read_engine(JsonReader& json) {
  ZooEngineResult engine;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "engine") {
      engine.engine = json.read_string();
    } else if (key == "outcome") {
      engine.outcome = read_word(json, parse_zoo_outcome, "outcome");
    } else if (key == "stage") {
      engine.stage = read_word(json, parse_zoo_stage, "stage");
    } else if (key == "reason") {
      engine.reason = json.read_string();
    } else if (key == "reduced") {
      engine.reduced = read_reduced(json);
    } else if (key == "details") {
      engine.details = json.read_string();
    } else if (key == "outputs") {
      json.enter_array();
      while (json.next_element()) engine.outputs.push_back(read_output(json));
    } else if (key == "excess") {
      engine.excess = read_excess(json);
    } else if (key == "guilty") {
      engine.guilty = read_texts(json);
    } else {
      json.skip_value();
    }
  }
  return engine;
}

ZooModelResult read_model(JsonReader& json) {
  ZooModelResult model;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "model") {
      model.model = json.read_string();
    } else if (key == "problem") {
      model.problem = json.read_string();
    } else if (key == "nodes") {
      model.nodes = json.read_integer();
    } else if (key == "inputs") {
      model.inputs = read_texts(json);
    } else if (key == "reference") {
      model.reference = json.read_string();
    } else if (key == "engines") {
      json.enter_array();
      while (json.next_element()) model.engines.push_back(read_engine(json));
    } else {
      json.skip_value();
    }
  }
  return model;
}

}  // namespace

std::string to_json(const ZooResult& result) {
  StringSink sink;
  ZooJson(sink).write(result);
  return sink.text() + "\n";
}

ZooResult parse_zoo_json(std::string_view text, std::string source) {
  JsonReader json(text, std::move(source));
  ZooResult result;
  bool known = false;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "polygraphy_zoo") {
      known = json.read_integer() == 1;
    } else if (key == "engines") {
      result.engines = read_texts(json);
    } else if (key == "versions") {
      json.enter_object();
      for (std::string engine; json.next_key(engine);)
        result.versions.set(engine, json.read_string());
    } else if (key == "models") {
      json.enter_array();
      while (json.next_element()) result.models.push_back(read_model(json));
    } else {
      json.skip_value();
    }
  }
  if (!known) json.fail_at(0, "these are not the results of a zoo.");
  json.finish();
  return result;
}

}  // namespace polygraphy
