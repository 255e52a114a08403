#include "polygraphy/diagnosis/sensitivity/sensitivity_json.h"

#include "formats/record_json.h"

namespace polygraphy {

SensitivityResult parse_sensitivity_json(std::string_view text, std::string source) {
  return parse_record<SensitivityResult>(text, std::move(source),
                                         "these are not the results of `debug sensitivity`.");
}

std::string sensitivity_json(const SensitivityResult& result) {
  return record_json(result);
}

}  // namespace polygraphy
