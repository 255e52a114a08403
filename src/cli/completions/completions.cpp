#include "cli/completions/completions.h"

#include "cli/completions/completion_bash.h"
#include "cli/completions/completion_fish.h"
#include "cli/completions/completion_zsh.h"
#include "cli/completions/man_page.h"
#include "cli/syntax/parser.h"

namespace polygraphy::cli {

std::string generate(std::string_view what) {
  if (what == "completion-bash") return bash_completion();
  if (what == "completion-zsh") return zsh_completion();
  if (what == "completion-fish") return fish_completion();
  if (what == "man") return man_page();
  throw UsageError(
      "polygraphy",
      "argument --generate: choose from completion-bash, completion-zsh, completion-fish, man");
}

}  // namespace polygraphy::cli
