#include "polygraphy/diagnosis/consistency/consistency_json.h"

#include <limits>

#include "formats/json_fields.h"
#include "formats/json_reader.h"
#include "formats/json_values.h"
#include "polygraphy/comparison/verdict/verdict_json.h"
#include "polygraphy/diagnosis/consistency/consistency_text.h"

namespace polygraphy {
namespace {

class Document : JsonFields {
 public:
  explicit Document(TextSink& sink) : JsonFields(sink) {}

  void write(const ConsistencyResult& result) {
    json_.begin_object();
    boolean("consistent", result.verdict().passed());
    text("summary", consistency_summary(result));
    json_.key("answer");
    write_verdict(json_, result.verdict());
    list("notes", result.notes);
    if (!result.versions.empty()) write(result.versions);
    json_.key("rows");
    json_.begin_array();
    for (const ConsistencyRow& row : result.rows) write(row);
    json_.end_array();
    json_.end_object();
  }

 private:
  void write(const OrderedMap<std::string>& versions) {
    json_.key("versions");
    json_.begin_object();
    for (const auto& [engine, version] : versions) text(engine, version);
    json_.end_object();
  }

  void write(const ConsistencyRow& row) {
    json_.begin_object();
    text("engine", row.engine);
    text("check", row.check);
    text("comparison", row.what);
    text("verdict", name_of(row.verdict));
    if (row.worst) write(*row.worst);
    if (!row.optimizers.empty()) list("optimizers", row.optimizers);
    if (!row.skipped.empty()) list("skipped", row.skipped);
    list("notes", row.notes);
    json_.end_object();
  }

  void write(const OutputDifference& worst) {
    json_.key("worst");
    json_.begin_object();
    text("output", worst.output);
    if (!worst.incomparable.empty()) {
      text("incomparable", worst.incomparable);
    } else {
      json_.key("index");
      json_.begin_array();
      for (const int64_t at : worst.index) json_.integer(at);
      json_.end_array();
      text("expected", worst.expected);
      text("observed", worst.observed);
      number("largest_absolute", worst.largest_absolute);
      number("largest_relative", worst.largest_relative);
      integer("elements", worst.elements);
      integer("beyond_tolerance", worst.beyond);
    }
    json_.end_object();
  }
};

ConsistencyVerdict read_agreement_of(JsonReader& json) {
  const size_t at = json.offset();
  const std::string name = json.read_string();
  for (auto verdict = ConsistencyVerdict::kFailed; verdict <= ConsistencyVerdict::kNotApplicable;
       verdict = static_cast<ConsistencyVerdict>(static_cast<uint8_t>(verdict) + 1)) {
    if (name_of(verdict) == name) return verdict;
  }
  json.fail_at(at, "'" + name + "' is no verdict.");
}

OutputDifference read_difference(JsonReader& json) {
  OutputDifference worst;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "output") {
      worst.output = json.read_string();
    } else if (key == "incomparable") {
      worst.incomparable = json.read_string();
    } else if (key == "index") {
      json.enter_array();
      while (json.next_element()) worst.index.push_back(json.read_integer());
    } else if (key == "expected") {
      worst.expected = json.read_string();
    } else if (key == "observed") {
      worst.observed = json.read_string();
    } else if (key == "largest_absolute") {
      worst.largest_absolute = read_figure(json);
    } else if (key == "largest_relative") {
      worst.largest_relative = read_figure(json);
    } else if (key == "elements") {
      worst.elements = json.read_integer();
    } else if (key == "beyond_tolerance") {
      worst.beyond = json.read_integer();
    } else {
      json.skip_value();
    }
  }
  return worst;
}

ConsistencyRow read_row(JsonReader& json) {
  ConsistencyRow row;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "engine") {
      row.engine = json.read_string();
    } else if (key == "check") {
      row.check = json.read_string();
    } else if (key == "comparison") {
      row.what = json.read_string();
    } else if (key == "verdict") {
      row.verdict = read_agreement_of(json);
    } else if (key == "worst") {
      row.worst = read_difference(json);
    } else if (key == "optimizers") {
      row.optimizers = read_texts(json);
    } else if (key == "skipped") {
      row.skipped = read_texts(json);
    } else if (key == "notes") {
      row.notes = read_texts(json);
    } else {
      json.skip_value();
    }
  }
  return row;
}

}  // namespace

ConsistencyResult parse_consistency_json(std::string_view text, std::string source) {
  JsonReader json(text, std::move(source));
  ConsistencyResult result;
  bool known = false;
  json.enter_object();
  for (std::string key; json.next_key(key);) {
    if (key == "notes") {
      result.notes = read_texts(json);
    } else if (key == "versions") {
      json.enter_object();
      for (std::string engine; json.next_key(engine);)
        result.versions.set(engine, json.read_string());
    } else if (key == "rows") {
      known = true;
      json.enter_array();
      while (json.next_element()) result.rows.push_back(read_row(json));
    } else {
      json.skip_value();
    }
  }
  if (!known) json.fail_at(0, "these are not the results of `check consistency`.");
  json.finish();
  return result;
}

std::string consistency_json(const ConsistencyResult& result) {
  StringSink sink;
  Document(sink).write(result);
  return sink.text() + "\n";
}

}  // namespace polygraphy
