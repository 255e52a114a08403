// Language models token by token.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/session/environment.h"
#include "cli/syntax/parser.h"
#include "polygraphy/data/inputs/prompts.h"
#include "polygraphy/runtimes/decoding/decode_options.h"

namespace polygraphy::cli {

// nullopt: --decode was not given.
std::optional<DecodeOptions> resolve_decoding(const ParsedArgs& args, const Environment& env);

// Token ids of all prompts that were given; none: the inputs have them. `model`: its path. Throws
// Error, IoError.
std::vector<Prompt> resolve_prompts(const ParsedArgs& args, const Environment& env,
                                    const std::string& model,
                                    const std::shared_ptr<UserPython>& python);

}  // namespace polygraphy::cli
