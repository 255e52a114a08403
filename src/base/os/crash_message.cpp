#include "base/os/crash_message.h"

#include <cxxabi.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>

#include "base/os/atomic_file.h"
#include "base/os/exit_status.h"
#include "base/os/files/descriptor.h"

namespace polygraphy {
namespace {

// The state of the signal handler, which may neither allocate nor wait.
char context_who[128] = "";
std::atomic<const char*> context_doing = nullptr;
const char* context_remedy = nullptr;
const char* usual_remedy = "";

// The owner of the contexts: the address of the thread's `this_thread`; null: no owner.
std::atomic<const void*> context_thread = nullptr;
thread_local constinit char this_thread = 0;

void print(const char* text) {
  write_all(kStandardError, text);
}

// "[!] <who> <did> when it <doing>": the beginning of the line.
void print_who(const char* did) {
  print("[!] ");
  print(context_doing ? context_who : "polygraphy");
  print(did);
  if (const char* doing = context_doing) {
    print(" when it ");
    print(doing);
  }
}

void print_end() {
  print(".");
  if (context_doing) print(context_remedy ? context_remedy : usual_remedy);
  print("\n");
}

void on_crash(int signal_number) {
  const char* name = known_signal_name(signal_number);
  print_who(" crashed");
  print(": ");
  print(name ? name : "a signal");
  print_end();
  remove_temporary_files();
  ::raise(signal_number);  // the action is the default again
}

pid_t our_process = 0;

void on_exit_of_others() {
  if (::getpid() != our_process) return;  // a library's own child, made by fork()
  print_who(" ended the whole process");
  print_end();
  remove_temporary_files();
  ::_exit(1);
}

// Memory that runs out in a thread, or in a destructor, ends the process. Allocates nothing.
int code_without_memory = 1;
std::terminate_handler usual_end = nullptr;
constinit std::atomic<bool> memory_ran_out = false;

[[noreturn]] void on_lack_of_memory() {
  memory_ran_out = true;
  throw std::bad_alloc();
}

[[noreturn]] void on_terminate() {
  // Null in a function that is noexcept, as those of directory iterators are.
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (type ? *type != typeid(std::bad_alloc) : !memory_ran_out) {
    usual_end();
    std::abort();
  }
  print("[!] not enough memory\n");
  remove_temporary_files();
  ::_exit(code_without_memory);
}

}  // namespace

CrashContext::CrashContext(std::string_view who, const char* doing, const char* remedy) noexcept {
  const void* nobody = nullptr;
  is_outermost_ = context_thread.compare_exchange_strong(nobody, &this_thread);
  is_recorded_ = is_outermost_ || nobody == &this_thread;
  if (!is_recorded_) return;
  previous_doing_ = context_doing;
  previous_remedy_ = context_remedy;
  context_doing = nullptr;
  std::memcpy(previous_who_, context_who, sizeof previous_who_);
  const size_t length = std::min(who.size(), sizeof context_who - 1);
  std::memcpy(context_who, who.data(), length);
  context_who[length] = '\0';
  context_remedy = remedy;
  context_doing = doing;
}

CrashContext::~CrashContext() {
  if (!is_recorded_) return;
  context_doing = nullptr;
  std::memcpy(context_who, previous_who_, sizeof previous_who_);
  context_remedy = previous_remedy_;
  context_doing = previous_doing_;
  if (is_outermost_) context_thread = nullptr;
}

void install_memory_message(int code) {
  code_without_memory = code;
  if (usual_end) return;
  usual_end = std::set_terminate(on_terminate);
  std::set_new_handler(on_lack_of_memory);
}

void install_crash_message(const char* remedy) {
  usual_remedy = remedy;
  // A stack that has overflowed has no room for a handler.
  static char stack[64 << 10];
  stack_t other{};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  ::sigaltstack(&other, nullptr);
  struct sigaction action = {};
  action.sa_handler = on_crash;
  action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND | SA_NODEFER);
  ::sigemptyset(&action.sa_mask);
  for (const int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
    ::sigaction(number, &action, nullptr);
  our_process = ::getpid();
  std::atexit(on_exit_of_others);
}

}  // namespace polygraphy
