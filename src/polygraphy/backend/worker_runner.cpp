#include "polygraphy/backend/worker_runner.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <exception>
#include <string_view>
#include <utility>

#include "base/child_process.h"
#include "base/error.h"
#include "base/text.h"
#include "polygraphy/backend/instance.h"
#include "polygraphy/backend/worker_memory.h"
#include "polygraphy/backend/worker_message.h"
#include "polygraphy/backend/worker_order.h"
#include "polygraphy/backend/worker_process.h"

namespace polygraphy {
namespace {

constexpr std::string_view kModule = "backend/worker_runner.py";
constexpr int kSocketInChild = 3;
constexpr double kSecondsToStop = 10;
constexpr size_t kKeptOfStandardError = 64 << 10;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The last lines that say something, as one.
std::string last_words(std::string_view text) {
  constexpr size_t kLines = 3, kLength = 500;
  std::string words;
  size_t lines = 0;
  while (!text.empty() && lines < kLines) {
    const size_t at = text.rfind('\n', text.size() - 1);
    const std::string_view line = strip(text.substr(at == std::string_view::npos ? 0 : at + 1));
    text = at == std::string_view::npos ? std::string_view() : text.substr(0, at);
    if (line.empty()) continue;
    words = std::string(line) + (words.empty() ? "" : " / ") + words;
    ++lines;
  }
  if (words.size() > kLength) words = "…" + words.substr(words.size() - kLength);
  return words;
}

class WorkerRunner final : public Runner {
 public:
  WorkerRunner(std::string name, PluginHost& host, const pgb_backend_options& backend,
               ModelSource model, BackendOptions options, std::string library, Isolation isolation,
               Logger& log)
      : Runner(std::move(name), &log),
        host_(host),
        log_(log),
        isolation_(std::move(isolation)),
        backend_(backend.name),
        order_{.runner = this->name(),
               .backend = backend.name,
               .model = std::move(model),
               .options = std::move(options),
               .library = std::move(library),
               .paths = host.paths(),
               .thresholds = {}} {}
  ~WorkerRunner() override {
    if (active()) deactivate();
  }

  void begin_activation() noexcept override {
    if (child_) return;
    try {
      order_.thresholds = log_.thresholds();
      start();
      feeds_ = SharedMemory::create();
      FieldWriter fields;
      fields.put(order_.fields());
      socket_->send(WorkerTopic::kStart, fields, feeds_.fd());
    } catch (const std::exception& error) {
      failure_ = std::current_exception();
      end();
    }
  }

  std::vector<NodeTime> node_times() override {
    if (!child_) return Runner::node_times();
    socket_->send(WorkerTopic::kTime, {});
    const WorkerMessage answer = ask("told its times");
    FieldReader fields(answer.fields);
    std::vector<NodeTime> times(fields.get<uint64_t>());
    for (NodeTime& each : times)
      fields.get(std::tie(each.node, each.op, each.kernel, each.microseconds));
    return times;
  }

 private:
  void activate_impl() override {
    begin_activation();
    if (!child_) std::rethrow_exception(std::exchange(failure_, nullptr));
    try {
      const WorkerMessage answer = ask("was activated");
      FieldReader reader(answer.fields);
      reader.get(inputs_);
    } catch (...) {
      end();
      throw;
    }
  }

  void deactivate_impl() noexcept override {
    try {
      if (child_) stop();
    } catch (const std::exception& error) {
      // A log that cannot be written is reported by whoever writes to it next.
    }
    end();
  }

  Metadata input_metadata_impl() override { return inputs_; }

  TensorMap infer_impl(const TensorMap& feeds, double& seconds) override {
    if (!child_) throw RunnerFailure(name() + " | its process has ended");
    FieldWriter fields;
    fields.put(outputs_ && outputs_.unused());
    feeds_.write(feeds, fields);
    socket_->send(WorkerTopic::kInfer, fields);
    const WorkerMessage answer = ask("ran the model");
    FieldReader reader(answer.fields);
    reader.get(seconds);
    if (const int fresh = socket_->take_descriptor(); fresh >= 0) outputs_ = SharedMemory(fresh);
    return outputs_.read(reader);
  }

  void start() {
    const auto [ours, theirs] = WorkerSocket::make_pair();
    socket_ = std::make_unique<WorkerSocket>(ours);
    const WorkerSocket closed_here(theirs);
    ChildOptions options{
        .argv = {isolation_.program, std::string(kRunnerProcess), std::to_string(kSocketInChild)},
        .descriptors = {{theirs, kSocketInChild}}};
    options.err = ChildStream::capture(kKeptOfStandardError, ChildStream::Keep::kLast);
    child_ = std::make_unique<ChildProcess>(options);
    printed_ = 0;
  }

  // Lets the process free what it holds, which may have messages, too.
  void stop() {
    socket_->send(WorkerTopic::kStop, {});
    const double end = now() + kSecondsToStop;
    while (now() < end) {
      const auto event = child_->wait_readable(socket_->fd(), end - now());
      const bool open = socket_->receive();
      while (const auto message = socket_->next()) relay(*message);
      if (!open || event != ChildProcess::Event::kReadable) break;
    }
    child_->wait(std::max(0.0, end - now()));
    show_standard_error();
  }

  // Whatever state it is in, the process ends.
  void end() noexcept {
    child_.reset();
    socket_.reset();
    feeds_ = {};
    outputs_ = {};
  }

  // The answer to what was sent. `doing`: for messages, what the runner did.
  WorkerMessage ask(std::string_view doing) {
    const double begin = now();
    while (true) {
      while (auto message = socket_->next()) {
        if (relay(*message)) continue;
        show_standard_error();
        if (message->topic == WorkerTopic::kFailed) rethrow(*message);
        return std::move(*message);
      }
      std::optional<double> left;
      if (isolation_.timeout) left = *isolation_.timeout - (now() - begin);
      using Event = ChildProcess::Event;
      const Event event = child_->wait_readable(socket_->fd(), left, host_.cancelled());
      if (event == Event::kTimeIsUp) time_is_up(doing);
      const bool open = socket_->receive();
      if (!open || event == Event::kEnded) {
        // What it said before it ended comes first.
        if (auto message = socket_->next()) {
          if (!relay(*message)) return std::move(*message);
          continue;
        }
        died(doing);
      }
    }
  }

  // True for messages to the user.
  bool relay(const WorkerMessage& message) {
    if (message.topic != WorkerTopic::kLog) return false;
    FieldReader fields(message.fields);
    const auto severity = fields.get<Severity>();
    const auto module = fields.get<std::string>(), text = fields.get<std::string>();
    const auto once = fields.get<Once>();
    const Logger::Indent deeper(log_, fields.get<int>());
    log_.log(severity, module, text, once);
    return true;
  }

  // What libraries print past our log.
  void show_standard_error() {
    const Captured& captured = child_->err();
    const uint64_t total = captured.dropped + captured.text.size();
    const uint64_t fresh = std::min<uint64_t>(total - printed_, captured.text.size());
    printed_ = total;
    const std::string_view text =
        strip(std::string_view(captured.text).substr(captured.text.size() - fresh));
    if (!text.empty()) log_.info(kModule, name() + " | On standard error:\n" + std::string(text));
  }

  [[noreturn]] void rethrow(const WorkerMessage& message) {
    FieldReader fields(message.fields);
    const auto kind = fields.get<WorkerError>();
    const auto what = fields.get<std::string>(), hint = fields.get<std::string>();
    switch (kind) {
      case WorkerError::kRunnerFailure:
        throw RunnerFailure(what, hint);
      case WorkerError::kOptionError:
        throw OptionError(what, hint);
      case WorkerError::kInterrupted:
        throw Interrupted();
      case WorkerError::kError:
        break;
    }
    throw Error(what, hint);
  }

  [[noreturn]] void time_is_up(std::string_view doing) {
    child_->kill(0.5);
    const std::string words = last_words(child_->err().text);
    end();
    throw RunnerFailure(fmt::format("{} | {} was not done within {} s when it {}, and was killed{}",
                                    name(), backend_, *isolation_.timeout, doing,
                                    words.empty() ? "" : " | Its last words: " + words),
                        "Give it more time (--timeout).");
  }

  [[noreturn]] void died(std::string_view doing) {
    auto status = child_->wait(kSecondsToStop);
    if (!status) status = child_->kill(0);
    const std::string words = last_words(child_->err().text);
    end();
    throw RunnerFailure(
        fmt::format("{} | {} {} when it {}{}", name(), backend_, to_text(*status), doing,
                    words.empty() ? "" : " | Its last words: " + words),
        status->signal == SIGKILL ? "The system kills processes when memory runs out." : "");
  }

  PluginHost& host_;
  Logger& log_;
  Isolation isolation_;
  std::string backend_;
  WorkerOrder order_;
  std::unique_ptr<ChildProcess> child_;
  std::exception_ptr failure_;  // of begin_activation()
  std::unique_ptr<WorkerSocket> socket_;
  SharedMemory feeds_, outputs_;
  Metadata inputs_;
  uint64_t printed_ = 0;  // bytes of standard error that have been shown
};

}  // namespace

std::unique_ptr<Runner> make_worker_runner(std::string name, PluginHost& host,
                                           const pgb_backend_options& backend, ModelSource model,
                                           BackendOptions options, const std::string& library,
                                           Isolation isolation, Logger& log) {
  return std::make_unique<WorkerRunner>(std::move(name), host, backend, std::move(model),
                                        std::move(options), library, std::move(isolation), log);
}

}  // namespace polygraphy
