// Shell completions and the man page, from the same tables as --help: `polygraphy --generate WHAT`.
#pragma once

#include <string>
#include <string_view>

namespace polygraphy::cli {

// `what`: completion-bash, completion-zsh, completion-fish or man. Throws UsageError for anything
// else.
std::string generate(std::string_view what);

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();
std::string man_page();

}  // namespace polygraphy::cli
