// Shell completions and the man page, generated from the same tables as --help:
// `polygraphy --generate WHAT`.
#pragma once

#include <string>
#include <string_view>

namespace polygraphy::cli {

// `what`: completion-bash, completion-zsh, completion-fish or man. Throws UsageError for anything
// else.
std::string generate(std::string_view what);

}  // namespace polygraphy::cli
