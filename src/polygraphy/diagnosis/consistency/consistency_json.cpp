#include "polygraphy/diagnosis/consistency/consistency_json.h"

#include "formats/record_json.h"

namespace polygraphy {

std::string consistency_json(const ConsistencyResult& result) {
  return record_json(result);
}

ConsistencyResult parse_consistency_json(std::string_view text, std::string source) {
  return parse_record<ConsistencyResult>(text, std::move(source),
                                         "these are not the results of `check consistency`.");
}

}  // namespace polygraphy
