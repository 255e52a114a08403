#include "polygraphy/diagnosis/zoo/zoo_times.h"

#include <optional>
#include <utility>

#include "formats/json_fields.h"
#include "formats/json_reader.h"

namespace polygraphy {
namespace {

class TimesJson : JsonFields {
 public:
  explicit TimesJson(TextSink& sink) : JsonFields(sink) {}

  void write(const ZooResult& result) {
    json_.begin_object();
    integer("polygraphy_zoo_times", 1);
    json_.key("models");
    json_.begin_array();
    for (const ZooModelResult& model : result.models) {
      json_.begin_object();
      text("model", model.model);
      json_.key("engines");
      json_.begin_array();
      for (const ZooEngineResult& engine : model.engines) write(engine);
      json_.end_array();
      json_.end_object();
    }
    json_.end_array();
    json_.end_object();
  }

 private:
  void write(const ZooEngineResult& engine) {
    json_.begin_object();
    text("engine", engine.engine);
    number_or_null("load_seconds", engine.cost.load_seconds);
    number_or_null("run_seconds", engine.cost.run_seconds);
    json_.key("peak_bytes");
    if (engine.cost.peak_bytes) {
      json_.integer(*engine.cost.peak_bytes);
    } else {
      json_.null();
    }
    json_.end_object();
  }
};

std::optional<double> read_number(JsonReader& json) {
  if (json.peek() == JsonReader::Type::kNumber) return json.read_number();
  json.read_null();
  return std::nullopt;
}

std::pair<std::string, ZooCost> read_engine(JsonReader& json) {
  std::pair<std::string, ZooCost> read;
  auto& [engine, cost] = read;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "engine") {
      engine = json.read_string();
    } else if (key == "load_seconds") {
      cost.load_seconds = read_number(json);
    } else if (key == "run_seconds") {
      cost.run_seconds = read_number(json);
    } else if (key == "peak_bytes") {
      const auto bytes = read_number(json);
      if (bytes && *bytes >= 0 && *bytes < 0x1p62) cost.peak_bytes = static_cast<int64_t>(*bytes);
    } else {
      json.skip_value();
    }
  }
  return read;
}

// `model`: null for one that the result has not.
void read_model(JsonReader& json, ZooModelResult* model) {
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "model") {
      if (const std::string name = json.read_string(); model && model->model != name)
        model = nullptr;
    } else if (key == "engines") {
      size_t next = 0;
      json.enter_array();
      while (json.next_element()) {
        const auto [engine, cost] = read_engine(json);
        if (!model || next == model->engines.size()) continue;
        ZooEngineResult& one = model->engines[next++];
        if (one.engine == engine) one.cost = cost;
      }
    } else {
      json.skip_value();
    }
  }
}

}  // namespace

std::string times_json(const ZooResult& result) {
  StringSink sink;
  TimesJson(sink).write(result);
  return sink.text() + "\n";
}

void add_times(std::string_view text, std::string source, ZooResult& result) {
  JsonReader json(text, std::move(source));
  bool known = false;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "polygraphy_zoo_times") {
      known = json.read_integer() == 1;
    } else if (key == "models") {
      size_t next = 0;
      json.enter_array();
      while (json.next_element()) {
        read_model(json, next < result.models.size() ? &result.models[next] : nullptr);
        ++next;
      }
    } else {
      json.skip_value();
    }
  }
  if (!known) json.fail_at(0, "these are not the times of a zoo.");
  json.finish();
}

}  // namespace polygraphy
