#include "cli/scripts/template_script.h"

#include "base/os/atomic_file.h"
#include "cli/syntax/parser.h"

namespace polygraphy::cli {

void write_template(Session& session, std::string_view module, const std::string& script) {
  const std::string typed = *session.args().text("--output");
  session.log().info(module, "Writing script to: " + typed);
  write_file(typed == "-" ? typed : session.env().path(typed), script);
}

}  // namespace polygraphy::cli
