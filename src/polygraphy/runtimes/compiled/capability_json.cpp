#include "polygraphy/runtimes/compiled/capability_json.h"

#include "formats/record_json.h"

namespace polygraphy {

Capability read_capability(std::string_view text, const std::string& backend) {
  return parse_record<Capability>(text, "the capabilities that " + backend + " reported",
                                  "these are not capabilities.");
}

}  // namespace polygraphy
