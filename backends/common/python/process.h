// The user's Python with a back end in it: one process, requests and replies.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "common/plugin.h"
#include "common/python/memory.h"
#include "common/python/messages.h"

namespace pgb::python {

struct Module {
  std::string_view name, text;
};

// The program of the process: the bootstrap, the host, and modules, each of which may import
// earlier ones; the last one is the back end.
struct Program {
  const char* name;  // "torch"
  std::span<const Module> modules;
};

struct Reply {
  MessageReader fields;
  int descriptor = -1;  // of memory with outputs; the receiver closes it
};

class Process {
 public:
  // `interpreter`: a path, or a name that is searched in PATH. Throws Failure(PGB_UNAVAILABLE).
  Process(std::string interpreter, const Program& program);
  // Ends the process at once.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // An idle process, or a new one: starting Python and importing its packages takes longer than
  // most models.
  static std::unique_ptr<Process> take(const std::string& interpreter, const Program& program);
  static void give_back(std::unique_ptr<Process> process);

  // Text that Python prints meanwhile goes to the log. Throws Failure with the reply's reason, or
  // with the exit status if the process ended; on cancellation throws cancelled() and ends the
  // process.
  Reply exchange(const MessageWriter& request, const Host& host);

  FeedMemory& feeds() { return feeds_; }
  bool is_over() const { return socket_ < 0; }
  const std::string& interpreter() const { return interpreter_; }

 private:
  struct Pipe {
    int descriptor = -1;
    pgb_severity severity = kInfo;
    std::string line = {};
  };

  void send(std::string_view data);
  void send_text(std::string_view text);  // behind its size
  void wait_for_reply(const Host& host);
  bool stop();
  std::string read(size_t count, int& descriptor);
  void forward(Pipe& pipe, const Host& host);
  void forward_all(const Host& host);
  void disconnect() noexcept;
  void end() noexcept;
  [[noreturn]] void ended(const Host* host);

  std::string interpreter_, name_, module_;
  FeedMemory feeds_;
  int pid_ = -1, socket_ = -1;
  Pipe out_, err_{.severity = kWarning};
  std::string last_words_;  // the end of its standard error
};

}  // namespace pgb::python
