#include "base/os/exit_status.h"

#include <signal.h>
#include <sys/wait.h>

#include <cstring>

namespace polygraphy {

ExitStatus exit_status_of(int wait_status) {
  ExitStatus status;
  if (WIFSIGNALED(wait_status)) {
    status.signal = WTERMSIG(wait_status);
  } else {
    status.code = WEXITSTATUS(wait_status);
  }
  return status;
}

bool ended_from_outside(const ExitStatus& status) {
  return status.signal == SIGKILL || status.signal == SIGTERM || status.signal == SIGINT ||
         status.signal == SIGHUP;
}

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

std::string to_text(const ExitStatus& status) {
  if (status.signal == 0) return "exited with " + std::to_string(status.code);
  const char* description = ::sigdescr_np(status.signal);
  return "was killed by " + signal_name(status.signal) +
         (description ? std::string(" (") + description + ")" : "");
}

}  // namespace polygraphy
