#include "polygraphy/diagnosis/zoo/zoo_json.h"

#include "formats/record_json.h"

namespace polygraphy {

std::string to_json(const ZooResult& result) {
  ZooResult lasting = result;
  for (ZooModelResult& model : lasting.models) {
    for (ZooEngineResult& engine : model.engines) engine.cost = {};
  }
  return record_json(lasting);
}

ZooResult parse_zoo_json(std::string_view text, std::string source) {
  return parse_record<ZooResult>(text, std::move(source), "these are not the results of a zoo.");
}

}  // namespace polygraphy
