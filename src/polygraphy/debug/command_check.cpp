#include "polygraphy/debug/command_check.h"

#include <algorithm>
#include <chrono>

#include "base/child_process.h"
#include "base/numpy_text.h"
#include "base/text.h"
#include "polygraphy/debug/failure_signature.h"
#include "polygraphy/debug/log_modules.h"

namespace polygraphy {
namespace {

using log_modules::kIterativeDebug;

constexpr size_t kMostOutput = size_t{64} << 20;
constexpr double kTimesFirst = 10, kLeastLimit = 10;  // seconds

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class CommandCheck : public Check {
 public:
  CommandCheck(CommandCheckOptions options, Logger& log, const std::atomic<bool>* cancel)
      : options_(std::move(options)), log_(log), cancel_(cancel) {}

  Verdict run(const std::string& artifact) override {
    const std::vector<std::string>& command = options_.command;
    log_.info(kIterativeDebug,
              "Running check command: " + join(std::span<const std::string>(command), " "));
    ChildOptions child;
    child.argv = command;
    if (!artifact.empty()) child.environment = {{"POLYGRAPHY_DEBUG_MODEL", artifact}};
    child.in = ChildStream::inherit();
    child.out = child.err = ChildStream::capture(kMostOutput, ChildStream::Keep::kLast);
    ChildProcess process(child);
    const double started = now();
    const std::optional<double> limit = options_.timeout ? options_.timeout : learned_limit_;
    const std::optional<ExitStatus> ended = process.wait(limit, cancel_);
    if (!ended) return took_too_long(process, *limit);
    if (!learned_limit_) learned_limit_ = std::max(kLeastLimit, kTimesFirst * (now() - started));
    const ExitStatus status = *ended;

    const std::string &out = process.out().text, &err = process.err().text;
    Verdict verdict;
    verdict.passed =
        options_.rules.passes(status, options_.rules.patterns.empty() ? "" : out + err);
    if (!verdict.passed) verdict.signature = failure_signature(status, out, err);
    if (options_.show_output || (!verdict.passed && !options_.hide_fail_output)) {
      show("STDOUT", process.out(), Severity::kInfo);
      show("STDERR", process.err(), verdict.passed ? Severity::kWarning : Severity::kError);
    }
    if (status.signal && !verdict.passed) {
      log_.error(kIterativeDebug, "The check command " + to_text(status));
    }
    return verdict;
  }

 private:
  Verdict took_too_long(ChildProcess& process, double limit) {
    process.kill();
    if (!options_.hide_fail_output) {
      show("STDOUT", process.out(), Severity::kInfo);
      show("STDERR", process.err(), Severity::kError);
    }
    log_.error(kIterativeDebug, "The check command was killed: it took longer than " +
                                    format_g(limit, 3) + " s" +
                                    (options_.timeout ? "."
                                                      : ", ten times the first one. "
                                                        "--check-timeout sets another limit."));
    return {.passed = false, .signature = "took too long"};
  }

  void show(std::string_view stream, const Captured& captured, Severity severity) {
    std::string text = "========== CAPTURED " + std::string(stream) + " ==========";
    if (captured.dropped > 0) {
      text += "\n(" + std::to_string(captured.dropped) + " bytes before this were dropped)";
    }
    const std::string_view printed = strip(captured.text);
    if (!printed.empty()) text.append("\n").append(printed);
    log_.log(severity, kIterativeDebug, text);
  }

  CommandCheckOptions options_;
  Logger& log_;
  const std::atomic<bool>* cancel_;
  std::optional<double> learned_limit_;
};

}  // namespace

std::unique_ptr<Check> command_check(CommandCheckOptions options, Logger& log,
                                     const std::atomic<bool>* cancel) {
  return std::make_unique<CommandCheck>(std::move(options), log, cancel);
}

}  // namespace polygraphy
