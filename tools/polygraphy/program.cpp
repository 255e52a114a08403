#include "program.h"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <initializer_list>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/os/atomic_file.h"
#include "base/os/crash_message.h"
#include "base/os/mapped_file.h"
#include "base/os/processes/this_process.h"
#include "cli/driver.h"
#include "cli/syntax/exit_codes.h"
#include "polygraphy/runtimes/contract/contract_process.h"
#include "polygraphy/runtimes/worker/worker_process.h"
#include "tasks/run_task.h"

namespace {

double monotonic_seconds() {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

polygraphy::cli::Interrupts interrupts;

// Async-signal-safe. Finished messages have been written already; half-written files must not stay.
void on_stop(int signal_number) {
  // `timeout` sends its signal to the process and to its group: it may come twice at once.
  constexpr double kAtOnce = 0.2;
  static double first = 0;
  if (interrupts.deferred && (signal_number == SIGINT || interrupts.all_signals)) {
    if (!interrupts.requested.exchange(true)) {
      first = monotonic_seconds();
      interrupts.signal = signal_number;
      return;
    }
    if (monotonic_seconds() - first < kAtOnce) return;
  }
  polygraphy::remove_temporary_files();
  constexpr std::string_view kMessage = "[!] Interrupted\n";
  if (signal_number == SIGINT) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
  }
  ::_exit(128 + signal_number);
}

void install_signal_handlers(std::initializer_list<int> numbers) {
  struct sigaction action = {};
  action.sa_handler = on_stop;
  ::sigemptyset(&action.sa_mask);
  for (const int number : numbers) {
    struct sigaction previous;
    // A signal that the caller has us ignore (nohup) stays ignored.
    if (::sigaction(number, nullptr, &previous) == 0 && previous.sa_handler == SIG_IGN) continue;
    ::sigaction(number, &action, nullptr);
  }
}

// Arrays come and go one after the other: given back to the system each time, every page of the
// next one would be cleared again.
void keep_freed_memory() {
#ifdef __GLIBC__
  ::mallopt(M_MMAP_THRESHOLD, 16 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 32 << 20);
#endif
}

// Where the caller has closed one of the three standard descriptors, the first file opened would
// get its number, and messages with it. Reading standard input and writing standard output fail as
// before; messages for standard error are dropped.
void occupy_standard_descriptors() {
  constexpr int kModes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The lowest free number is this one.
    if (::fcntl(descriptor, F_GETFD) < 0)
      static_cast<void>(::open("/dev/null", kModes[descriptor]));
  }
}

class StandardInput : public polygraphy::cli::Input {
 public:
  std::optional<std::string> line() override {
    std::string text;
    if (!std::getline(std::cin, text)) return std::nullopt;
    return text;
  }
};

int columns() {
  const char* chosen = ::getenv("COLUMNS");
  int columns = chosen ? ::atoi(chosen) : 0;
  if (columns <= 0) columns = polygraphy::terminal_columns(STDOUT_FILENO);
  return columns > 0 ? columns : 80;
}

int program(int argc, char** argv, char** variables) {
  polygraphy::install_memory_message(polygraphy::cli::kCouldNotRun);
  occupy_standard_descriptors();
  keep_freed_memory();
  // The largest file that is allowed is seen when writing, as EFBIG; by engines as well.
  ::signal(SIGXFSZ, SIG_IGN);
  if (argc == 3 && argv[1] == polygraphy::kRunnerProcess) {
    install_signal_handlers({SIGTERM});
    ::_exit(polygraphy::run_runner_process(::atoi(argv[2])));
  }
  if (argc == 3 && argv[1] == polygraphy::contract::kContractProcess) {
    install_signal_handlers({SIGTERM});
    ::_exit(polygraphy::contract::run_contract_process(::atoi(argv[2])));
  }
  const bool is_task = argc > 1 && argv[1] == polygraphy::kTaskProcess;
  if (is_task)
    polygraphy::install_memory_message(static_cast<int>(polygraphy::TaskOutcome::kElsewhere));
  std::vector<std::string> words(argv, argv + argc);
  if (is_task) words.erase(words.begin() + 1);
  install_signal_handlers({SIGINT, SIGTERM, SIGHUP});
  // A reader that goes away is seen when writing, as EPIPE.
  ::signal(SIGPIPE, SIG_IGN);
  polygraphy::install_sigbus_message();
  polygraphy::install_crash_message(" With --isolate, the other runners' results are kept.");
  polygraphy::cli::DescriptorStream out(STDOUT_FILENO, "standard output");
  polygraphy::cli::DescriptorStream err(STDERR_FILENO, "standard error");
  StandardInput in;
  const std::string executable = polygraphy::executable_path();
  polygraphy::cli::Environment env{
      .out = out,
      .err = err,
      .variables = variables,
      .executable = executable.empty() ? "/usr/bin/polygraphy" : executable,
      .root = {},
      .clock = monotonic_seconds,
      .columns = columns(),
      .process_ends = true,
      .is_task = is_task,
      .interrupts = &interrupts,
      .in = &in};
  int code = polygraphy::cli::run_command_line(env, words);
  if (code == 128 + SIGINT && interrupts.signal != 0) code = 128 + interrupts.signal;
  // Engines keep threads and static objects whose destruction order is theirs to get wrong;
  // everything of ours is written.
  ::_exit(code);
}

}  // namespace

int polygraphy_program(int argc, char** argv, char** variables) {
  return polygraphy::with_usual_stack([&] { return program(argc, argv, variables); });
}
