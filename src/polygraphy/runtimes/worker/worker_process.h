// The other side of worker_runner.h: the main function of a runner's process.
#pragma once

#include <string_view>

namespace polygraphy {

// The executable's only argument but for the number of the socket, as its own process sees it:
// `polygraphy --runner-process 3`.
inline constexpr std::string_view kRunnerProcess = "--runner-process";

// Serves requests until the parent sends kStop or closes the socket. SIGTERM requests an immediate
// end (SIGKILL follows if the process does not react): the executable handles it, and removes
// temporary files. Returns the exit code of the process.
int run_runner_process(int socket);

}  // namespace polygraphy
