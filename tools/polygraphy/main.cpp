// The executable.
#include "base/os/crash_message.h"
#include "cli/syntax/exit_codes.h"
#include "program.h"

namespace {

// Ahead of the static objects of this program and its libraries, which take memory, too.
[[gnu::constructor(101)]] void before_static_objects() {
  polygraphy::install_memory_message(polygraphy::cli::kCouldNotRun);
}

}  // namespace

int main(int argc, char** argv, char** variables) {
  return polygraphy_program(argc, argv, variables);
}
