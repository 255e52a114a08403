// Common part of the `template` commands: the destination of the script.
#pragma once

#include <string>
#include <string_view>

#include "base/log_modules.h"
#include "cli/session/session.h"
#include "cli/syntax/option.h"

namespace polygraphy::cli {

inline constexpr Option kTemplateOptions[] = {
    {.spellings = "-o --output",
     .help = "Write the script to this file.",
     .files = FileUse::kWritten,
     .required = true},
};

// Writes it where --output says. `module`: of the message about it. Throws IoError.
void write_template(Session& session, std::string_view module, const std::string& script);

}  // namespace polygraphy::cli
