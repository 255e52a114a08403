// A command line as the job of tasks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/session/session.h"
#include "cli/syntax/parser.h"
#include "tasks/task.h"

namespace polygraphy::cli {

// The command of the session with the options that change results, but for those with one of
// `without` as keys. `command`: its path, "debug locate".
std::vector<std::string> task_words(const ParsedArgs& args, std::string_view command,
                                    const std::vector<std::string_view>& without);

// Throws IoError: of one machine, a missing model would be the failure of every task. Empty: no
// model.
void require_model(const std::string& path);

// A job with the command's inputs, needs and folder. Digests of the files are taken: O(bytes).
// Throws IoError.
TaskJob task_job(Session& session, std::string_view command,
                 const std::vector<std::string_view>& without);

}  // namespace polygraphy::cli
