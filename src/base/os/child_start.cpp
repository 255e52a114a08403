#include "base/os/child_start.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "base/error.h"
#include "base/os/system_error.h"

namespace polygraphy {
namespace {

constexpr size_t kStackBytes = 64 << 10;

// The child's data, prepared before it exists: it shares the parent's memory until exec(), and may
// call only functions that are async-signal-safe.
struct Child {
  const char* program;
  char* const* argv;
  char* const* environment;
  const char* folder;  // null: stay
  const std::pair<int, int>* descriptors;
  size_t descriptor_count;
  int* moved;  // one number per descriptor
  int first_free;
  pid_t parent;
  // Seen by us because memory is shared.
  int error = 0;
  bool in_folder = false;  // `error` is about the folder
};

void default_signals() {
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action;
    if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_DFL) continue;
    // Signals that our caller ignores stay ignored; these two are ignored by us only.
    if (action.sa_handler == SIG_IGN && number != SIGPIPE && number != SIGXFSZ) continue;
    action = {};
    action.sa_handler = SIG_DFL;
    ::sigaction(number, &action, nullptr);
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Numbers may overlap: everything is moved out of the way first.
bool hand_over_descriptors(Child& child) {
  for (size_t i = 0; i < child.descriptor_count; ++i) {
    child.moved[i] = ::fcntl(child.descriptors[i].first, F_DUPFD_CLOEXEC, child.first_free);
    if (child.moved[i] < 0) return false;
  }
  // Descriptors that were opened without O_CLOEXEC. Older systems lack the call.
  ::syscall(SYS_close_range, 3U, ~0U, 4U /* CLOSE_RANGE_CLOEXEC */);
  for (size_t i = 0; i < child.descriptor_count; ++i) {
    if (::dup2(child.moved[i], child.descriptors[i].second) < 0) return false;
  }
  return true;
}

int run_child(void* argument) {
  Child& child = *static_cast<Child*>(argument);
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != child.parent) ::_exit(127);
  default_signals();
  if (!hand_over_descriptors(child)) {
    child.error = errno;
    ::_exit(127);
  }
  if (child.folder && ::chdir(child.folder) != 0) {
    child.error = errno;
    child.in_folder = true;
    ::_exit(127);
  }
  ::execve(child.program, child.argv, child.environment);
  child.error = errno;
  ::_exit(127);
}

std::vector<std::string> environment_of(const ChildStart& start) {
  std::vector<std::string> result;
  for (char** entry = ::environ; entry && *entry; ++entry) {
    const std::string_view text = *entry;
    const auto replaced = [&](const auto& added) {
      return text.size() > added.first.size() && text.starts_with(added.first) &&
             text[added.first.size()] == '=';
    };
    if (std::none_of(start.environment.begin(), start.environment.end(), replaced))
      result.emplace_back(text);
  }
  for (const auto& [name, value] : start.environment) result.push_back(name + "=" + value);
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

bool is_program(const std::string& path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

// The file that a name means in the child's own PATH; relative folders in it are taken from ours.
std::string find_program(const std::string& name, const std::vector<std::string>& environment) {
  if (name.find('/') != std::string::npos) return name;
  std::string path = "/usr/local/bin:/usr/bin:/bin";
  for (const std::string& entry : environment) {
    if (entry.starts_with("PATH=")) path = entry.substr(5);
  }
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find(':', begin), path.size());
    const std::string folder = path.substr(begin, end - begin);
    const std::string file = (folder.empty() ? "." : folder) + "/" + name;
    if (is_program(file)) return file;
    begin = end + 1;
  }
  throw Error("cannot start '" + name + "': no such program in PATH",
              "Install it, or give its path");
}

IoError cannot_start(const Child& child, const ChildStart& start) {
  const std::string& name = start.argv.front();
  const std::string reason = system_reason(child.error);
  if (child.in_folder) {
    return IoError("cannot start '" + name + "' in folder '" + start.folder + "': " + reason,
                   open_hint(child.error));
  }
  std::string hint = open_hint(child.error);
  if (child.error == ENOEXEC)
    hint = "name the script's interpreter in its first line: #!/bin/sh, #!/usr/bin/env python3";
  if (child.error == EACCES) hint = "make it executable: chmod +x " + name;
  if (child.error == ENOENT && ::access(child.program, F_OK) == 0)
    hint = "the interpreter in its first line does not exist";
  return IoError("cannot start '" + name + "': " + reason, hint);
}

// While the child shares our memory, no handler of ours may run in it.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &previous_);
  }
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &previous_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t previous_;
};

}  // namespace

pid_t start_child(const ChildStart& start) {
  if (start.argv.empty() || start.argv.front().empty())
    throw Error("cannot start a program without a name");
  std::vector<std::string> environment = environment_of(start);
  const std::string program = find_program(start.argv.front(), environment);
  std::vector<std::string> arguments = start.argv;
  const std::vector<char*> argv = pointers(arguments), environ_ = pointers(environment);
  std::vector<int> moved(start.descriptors.size());
  int first_free = 3;
  for (const auto& [ours, theirs] : start.descriptors)
    first_free = std::max(first_free, theirs + 1);
  Child child{.program = program.c_str(),
              .argv = argv.data(),
              .environment = environ_.data(),
              .folder = start.folder.empty() ? nullptr : start.folder.c_str(),
              .descriptors = start.descriptors.data(),
              .descriptor_count = start.descriptors.size(),
              .moved = moved.data(),
              .first_free = first_free,
              .parent = ::getpid()};
  alignas(16) std::vector<char> stack(kStackBytes);
  pid_t pid = -1;
  {
    const BlockedSignals blocked;
    // As posix_spawn() does it, which cannot set PR_SET_PDEATHSIG: the parent waits until the child
    // has called exec() or failed.
    pid = ::clone(run_child, stack.data() + stack.size(), CLONE_VM | CLONE_VFORK | SIGCHLD, &child);
    if (pid < 0) child.error = errno;
  }
  if (pid < 0) throw cannot_start(child, start);
  if (child.error != 0) {
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) continue;
    throw cannot_start(child, start);
  }
  return pid;
}

}  // namespace polygraphy
