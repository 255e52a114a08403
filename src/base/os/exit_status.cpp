#include "base/os/exit_status.h"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <iterator>

namespace polygraphy {
namespace {

// Those that end a process, in the words of the C library: its functions for them are newer than
// systems that we run on.
struct Signal {
  int number;
  const char *name, *description;
};
constexpr Signal kSignals[] = {
    {SIGHUP, "SIGHUP", "Hangup"},
    {SIGINT, "SIGINT", "Interrupt"},
    {SIGQUIT, "SIGQUIT", "Quit"},
    {SIGILL, "SIGILL", "Illegal instruction"},
    {SIGTRAP, "SIGTRAP", "Trace/breakpoint trap"},
    {SIGABRT, "SIGABRT", "Aborted"},
    {SIGBUS, "SIGBUS", "Bus error"},
    {SIGFPE, "SIGFPE", "Floating point exception"},
    {SIGKILL, "SIGKILL", "Killed"},
    {SIGUSR1, "SIGUSR1", "User defined signal 1"},
    {SIGSEGV, "SIGSEGV", "Segmentation fault"},
    {SIGUSR2, "SIGUSR2", "User defined signal 2"},
    {SIGPIPE, "SIGPIPE", "Broken pipe"},
    {SIGALRM, "SIGALRM", "Alarm clock"},
    {SIGTERM, "SIGTERM", "Terminated"},
    {SIGXCPU, "SIGXCPU", "CPU time limit exceeded"},
    {SIGXFSZ, "SIGXFSZ", "File size limit exceeded"},
    {SIGVTALRM, "SIGVTALRM", "Virtual timer expired"},
    {SIGPROF, "SIGPROF", "Profiling timer expired"},
    {SIGSYS, "SIGSYS", "Bad system call"},
};

const Signal* find_signal(int number) {
  const auto* const found = std::ranges::find(kSignals, number, &Signal::number);
  return found == std::end(kSignals) ? nullptr : found;
}

}  // namespace

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

const char* known_signal_name(int signal) {
  const Signal* found = find_signal(signal);
  return found ? found->name : nullptr;
}

std::string signal_name(int signal) {
  const char* name = known_signal_name(signal);
  return name ? name : "signal " + std::to_string(signal);
}

std::string to_text(const ExitStatus& status) {
  if (status.signal == 0) return "exited with " + std::to_string(status.code);
  const Signal* found = find_signal(status.signal);
  return "was killed by " + signal_name(status.signal) +
         (found ? std::string(" (") + found->description + ")" : "");
}

}  // namespace polygraphy
