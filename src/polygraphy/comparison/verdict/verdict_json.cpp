#include "polygraphy/comparison/verdict/verdict_json.h"

#include "formats/json_fields.h"

namespace polygraphy {
namespace {

class VerdictFields : JsonFields {
 public:
  explicit VerdictFields(JsonWriter& json) : JsonFields(json) {}

  void write(const Verdict& verdict) {
    json_.begin_object();
    text("agreement", name_of(verdict.agreement));
    text("headline", headline(verdict));
    text("target", verdict.target);
    text("reference", verdict.reference);
    text("measure", verdict.measure);
    text("unit", verdict.unit);
    integer("total", verdict.total);
    integer("compared", verdict.compared);
    integer("empty", verdict.empty);
    integer("off", verdict.off);
    integer("samples", verdict.samples);
    if (verdict.worst.empty()) {
      json_.key("worst");
      json_.null();
    } else {
      text("worst", verdict.worst);
    }
    number_or_null("excess", verdict.excess);
    if (verdict.tokens) write(*verdict.tokens);
    json_.end_object();
  }

 private:
  void write(const TokenCounts& counts) {
    json_.key("tokens");
    json_.begin_object();
    integer("compared", counts.tokens);
    integer("flips", counts.flips);
    integer("near_ties", counts.near_ties());
    integer("wrong", counts.wrong);
    text("first_wrong", counts.first_wrong);
    json_.end_object();
  }
};

}  // namespace

void write_verdict(JsonWriter& json, const Verdict& verdict) {
  VerdictFields(json).write(verdict);
}

}  // namespace polygraphy
