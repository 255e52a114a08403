#include "polygraphy/backend/option_tables.h"

#include <string>

#include "base/error.h"

namespace polygraphy {

const pgb_backend_options& backend_options_of(std::string_view name) {
  std::string known;
  for (const pgb_backend_options* each : backend_option_tables()) {
    if (name == each->name) return *each;
    known += (known.empty() ? "" : ", ") + std::string(each->name);
  }
  throw Error("there is no back end '" + std::string(name) + "'", "Back ends are: " + known);
}

}  // namespace polygraphy
