// `polygraphy meta-probe`.
#include "cli/syntax/command.h"
#include "cli/session/session.h"

namespace polygraphy::cli {

namespace {

constexpr GroupUse kGroups[] = {{&args_logging}, {&args_meta_probe}};

int run(Session& session) {
  session.env().out.write("meta-probe ran\n");
  return 0;
}

}  // namespace

extern constinit const Command command_meta_probe = {
    .path = "meta-probe",
    .summary = "Prove that commands are found.",
    .description = "Prove that commands are found.",
    .order = 99,
    .groups = kGroups,
    .run = run,
};

}  // namespace polygraphy::cli
