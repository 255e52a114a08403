// One line on standard error when this process crashes.
#pragma once

#include <string_view>

namespace polygraphy {

// While this lives, crash messages name `who` ("onnxrt-runner-N0-…") and what it is `doing` ("ran
// the model"; a literal). Cheap. Contexts nest, and the innermost counts; of several threads, the
// first one's. `remedy` (a literal) ends the message; null: the remedy of install_crash_message().
class CrashContext {
 public:
  CrashContext(std::string_view who, const char* doing, const char* remedy = nullptr) noexcept;
  ~CrashContext();
  CrashContext(const CrashContext&) = delete;
  CrashContext& operator=(const CrashContext&) = delete;

 private:
  bool is_outermost_, is_recorded_;
  char previous_who_[128];
  const char* previous_doing_ = nullptr;
  const char* previous_remedy_ = nullptr;
};

// From now on SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT print one line on standard error, remove
// the temporary files of AtomicFile, and then end the process as they do without this. So does
// exit(), with code 1 regardless of its argument, since back ends call it: the caller must end by
// _exit(). `remedy` (a literal) follows when there is a context. For the command line; a library's
// host decides for itself.
void install_crash_message(const char* remedy);

// A std::bad_alloc that no function catches is one line, too, and ends the process with `code`.
void install_memory_message(int code);

}  // namespace polygraphy
