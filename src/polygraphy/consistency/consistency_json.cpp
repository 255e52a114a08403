#include "polygraphy/consistency/consistency_json.h"

#include <cmath>
#include <string_view>
#include <vector>

#include "formats/json_writer.h"
#include "polygraphy/consistency/consistency_text.h"

namespace polygraphy {
namespace {

class Document {
 public:
  explicit Document(TextSink& sink) : json_(sink) {}

  void write(const ConsistencyResult& result) {
    json_.begin_object();
    json_.key("consistent");
    json_.boolean(result.consistent());
    text("summary", consistency_summary(result));
    list("notes", result.notes);
    json_.key("rows");
    json_.begin_array();
    for (const ConsistencyRow& row : result.rows) write(row);
    json_.end_array();
    json_.end_object();
  }

 private:
  void text(std::string_view key, std::string_view value) {
    json_.key(key);
    json_.string(value);
  }
  void number(std::string_view key, double value) {
    json_.key(key);
    if (std::isnan(value)) return json_.string("NaN");
    if (std::isinf(value)) return json_.string(value > 0 ? "Infinity" : "-Infinity");
    json_.number(value);
  }
  void integer(std::string_view key, int64_t value) {
    json_.key(key);
    json_.integer(value);
  }
  void list(std::string_view key, const std::vector<std::string>& values) {
    json_.key(key);
    json_.begin_array();
    for (const std::string& value : values) json_.string(value);
    json_.end_array();
  }

  void write(const ConsistencyRow& row) {
    json_.begin_object();
    text("engine", row.engine);
    text("check", row.check);
    text("comparison", row.what);
    text("verdict", name_of(row.verdict));
    if (row.worst) write(*row.worst);
    if (!row.optimizers.empty()) list("optimizers", row.optimizers);
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

  JsonWriter json_;
};

}  // namespace

std::string consistency_json(const ConsistencyResult& result) {
  StringSink sink;
  Document(sink).write(result);
  return sink.text() + "\n";
}

}  // namespace polygraphy
