#include "polygraphy/diagnosis/locate/report/locate_json.h"

#include "formats/record_json.h"

namespace polygraphy {

std::string locate_json(const LocateResult& result) {
  return record_json(result);
}

}  // namespace polygraphy
