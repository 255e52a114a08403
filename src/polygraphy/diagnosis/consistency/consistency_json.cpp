#include "polygraphy/diagnosis/consistency/consistency_json.h"

#include "formats/json_fields.h"
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
    json_.key("rows");
    json_.begin_array();
    for (const ConsistencyRow& row : result.rows) write(row);
    json_.end_array();
    json_.end_object();
  }

 private:
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

}  // namespace

std::string consistency_json(const ConsistencyResult& result) {
  StringSink sink;
  Document(sink).write(result);
  return sink.text() + "\n";
}

}  // namespace polygraphy
