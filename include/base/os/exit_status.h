// Exit status of a process.
#pragma once

#include <cstdint>
#include <string>

namespace polygraphy {

struct ExitStatus {
  int code = 0;             // exit code; 0 when a signal ended it
  int signal = 0;           // the signal that ended it; 0: none
  uint64_t peak_bytes = 0;  // of the process and the children that it waited for

  bool success() const { return code == 0 && signal == 0; }
};

// Converts the status of wait().
ExitStatus exit_status_of(int wait_status);

// By a signal with which users and systems end processes (SIGKILL for lack of memory, too): the
// same may not happen again. Signals of faults come again.
bool ended_from_outside(const ExitStatus& status);

// "exited with 3", "was killed by SIGSEGV (Segmentation fault)".
std::string to_text(const ExitStatus& status);

// "SIGSEGV"; null for signals that do not end a process. Safe in a signal handler.
const char* known_signal_name(int signal);

// "SIGSEGV"; "signal 44" for signals without a name. In English in every locale.
std::string signal_name(int signal);

}  // namespace polygraphy
