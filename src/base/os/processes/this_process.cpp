#include "base/os/processes/this_process.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace polygraphy {

int64_t process_id() {
  return ::getpid();
}

uint32_t user_id() {
  return ::geteuid();
}

std::string machine_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

std::string executable_path() {
  std::error_code unknown;
  return std::filesystem::read_symlink("/proc/self/exe", unknown);
}

std::vector<int> allowed_processors() {
  std::vector<int> all;
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return all;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &allowed)) all.push_back(cpu);
  }
  return all;
}

void run_on(const std::vector<int>& processors) {
  cpu_set_t own;
  CPU_ZERO(&own);
  for (const int cpu : processors) CPU_SET(cpu, &own);
  static_cast<void>(::sched_setaffinity(0, sizeof own, &own));
}

void end_with_parent() {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
}

void ask_to_end(int process) {
  ::kill(process, SIGTERM);
  ::kill(process, SIGCONT);
}

int with_usual_stack(const std::function<int()>& main) {
  constexpr size_t kUsual = 8 << 20;
  rlimit allowed;
  if (::getrlimit(RLIMIT_STACK, &allowed) != 0 || allowed.rlim_cur >= kUsual) return main();
  pthread_attr_t larger;
  if (::pthread_attr_init(&larger) != 0) return main();
  ::pthread_attr_setstacksize(&larger, kUsual);
#ifdef __GLIBC__
  ::pthread_setattr_default_np(&larger);
#endif
  struct Call {
    const std::function<int()>& main;
    int result;
  } call{main, 0};
  const auto run = [](void* of) -> void* {
    Call& mine = *static_cast<Call*>(of);
    mine.result = mine.main();
    return nullptr;
  };
  pthread_t thread;
  const bool started = ::pthread_create(&thread, &larger, run, &call) == 0;
  ::pthread_attr_destroy(&larger);
  if (!started) return main();
  ::pthread_join(thread, nullptr);
  return call.result;
}

void set_variable(const std::string& name, const std::string& value) {
  ::setenv(name.c_str(), value.c_str(), 1);
}

void become(std::vector<std::string> words, const std::string& variable, const std::string& value) {
  set_variable(variable, value);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execvp(pointers.front(), pointers.data());
}

bool is_terminal(int fd) {
  return ::isatty(fd) == 1;
}

int terminal_columns(int fd) {
  winsize size{};
  return ::ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace polygraphy
