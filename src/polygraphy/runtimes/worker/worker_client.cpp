#include "polygraphy/runtimes/worker/worker_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <tuple>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/process_memory.h"
#include "base/text.h"
#include "polygraphy/runtimes/backend/backend_status.h"
#include "polygraphy/runtimes/backend/session_options.h"
#include "polygraphy/runtimes/worker/worker_process.h"

namespace polygraphy {
namespace {

constexpr int kSocketInChild = 3;
constexpr double kSecondsToStop = 10;
constexpr size_t kKeptOfStandardError = 64 << 10;

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
    if (!words.empty()) words.insert(0, " / ");
    words.insert(0, line);
    ++lines;
  }
  if (words.size() > kLength) words = "…" + words.substr(words.size() - kLength);
  return words;
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
    case WorkerError::kUnavailable:
      throw Error(kNotAvailable, what, hint);
    case WorkerError::kInterrupted:
      throw Interrupted();
    case WorkerError::kError:
      break;
  }
  throw Error(what, hint);
}

}  // namespace

WorkerClient::WorkerClient(std::string program, WorkerRequest request, Logger& log)
    : program_(std::move(program)), request_(std::move(request)), log_(&log) {}
WorkerClient::~WorkerClient() = default;

bool WorkerClient::has_library_of(const WorkerClient& other) const {
  WorkerRequest own = request_, wanted = other.request_;
  return program_ == other.program_ && own.backend == wanted.backend &&
         own.library == wanted.library && fields_of(own.paths) == fields_of(wanted.paths);
}

void WorkerClient::serve(const WorkerClient& other) {
  request_ = other.request_;
  log_ = other.log_;
  timeout_ = other.timeout_;
  cancel_ = other.cancel_;
}

void WorkerClient::start() {
  const auto [ours, theirs] = WorkerSocket::make_pair();
  socket_ = std::make_unique<WorkerSocket>(ours);
  const WorkerSocket closed_here(theirs);
  ChildOptions options{
      .argv = {program_, std::string(kRunnerProcess), std::to_string(kSocketInChild)},
      .descriptors = {{theirs, kSocketInChild}}};
  options.err = ChildStream::capture(kKeptOfStandardError, ChildStream::Keep::kLast);
  child_ = std::make_unique<ChildProcess>(options);
  heap_sent_ = stopping_ = false;
  peak_is_known_ = true;
  printed_ = 0;
}

// The request's fields, once there is a process to send them to.
FieldWriter WorkerClient::begin_request(const std::string& model) {
  if (!model.empty()) request_.model.path = model;
  request_.thresholds = log_->thresholds();
  request_.calibrates = request_.options.calibration != nullptr;
  batch_failure_.reset();
  FieldWriter fields;
  fields.put(request_.fields());
  if (!child_) start();
  return fields;
}

void WorkerClient::begin_load(const std::string& model) {
  const FieldWriter fields = begin_request(model);
  socket_->send(WorkerTopic::kStart, fields, std::exchange(heap_sent_, true) ? -1 : heap_.fd());
}

Metadata WorkerClient::finish_load() {
  const WorkerMessage answer = ask("was activated");
  FieldReader reader(answer.fields);
  Metadata inputs;
  reader.get(inputs);
  reader.get(precision_);
  reader.get(version_);
  return inputs;
}

std::string WorkerClient::library_version() {
  const FieldWriter fields = begin_request({});
  socket_->send(WorkerTopic::kVersionOfLibrary, fields);
  const WorkerMessage answer = ask("opened its library");
  return FieldReader(answer.fields).get<std::string>();
}

std::string WorkerClient::compile(Compilation wanted, const std::string& path,
                                  const std::string& model) {
  FieldWriter fields = begin_request(model);
  fields.put(wanted);
  fields.put(path);
  socket_->send(WorkerTopic::kCompile, fields);
  const WorkerMessage answer =
      ask(wanted == Compilation::kArtefact ? "built the model" : "read the model");
  return FieldReader(answer.fields).get<std::string>();
}

Inference WorkerClient::infer(const ValueMap& feeds) {
  FieldWriter fields;
  fields.put(outputs_ ? outputs_->released() : std::vector<uint64_t>());
  feeds_.release_all();
  feeds_.put(feeds, fields);
  socket_->send(WorkerTopic::kInfer, fields);
  const WorkerMessage answer = ask("ran the model");
  FieldReader reader(answer.fields);
  Inference inference;
  reader.get(inference.seconds);
  if (const int fd = socket_->take_descriptor(); fd >= 0) outputs_.emplace(fd);
  inference.outputs = outputs_->get(reader);
  return inference;
}

std::vector<NodeTime> WorkerClient::node_times() {
  socket_->send(WorkerTopic::kTime, {});
  const WorkerMessage answer = ask("reported its times");
  FieldReader fields(answer.fields);
  std::vector<NodeTime> times(fields.get<uint64_t>());
  for (NodeTime& each : times)
    fields.get(std::tie(each.node, each.op, each.kernel, each.microseconds));
  return times;
}

void WorkerClient::unload() {
  socket_->send(WorkerTopic::kUnload, {});
  ask("released the model");
}

std::optional<uint64_t> WorkerClient::peak_memory() const {
  if (!child_ || !peak_is_known_) return std::nullopt;
  const uint64_t bytes = polygraphy::peak_memory(child_->pid());
  return bytes > 0 ? std::optional(bytes) : std::nullopt;
}

void WorkerClient::reset_peak_memory() {
  if (child_) peak_is_known_ = polygraphy::reset_peak_memory(child_->pid());
}

void WorkerClient::begin_stop() noexcept {
  if (child_ && !std::exchange(stopping_, true)) socket_->send(WorkerTopic::kStop, {});
}

void WorkerClient::stop() noexcept {
  try {
    if (!child_) return;
    begin_stop();
    const double patience = std::min(timeout_.value_or(kSecondsToStop), kSecondsToStop);
    const double end = seconds_now() + patience;
    while (seconds_now() < end) {
      const auto event = child_->wait_readable(socket_->fd(), end - seconds_now(), cancel_);
      const bool open = socket_->receive();
      while (const auto message = socket_->next()) relay(*message);
      if (!open || event != ChildProcess::Event::kReadable) break;
    }
    const auto status = child_->wait(std::max(0.0, end - seconds_now()), cancel_);
    // All results have arrived, so this is not a failure, but worth a warning.
    if (!status) {
      log_->warning(log_modules::kWorkerRunner, account(fmt::format("exceeded {} s", patience),
                                                        "was closed", ", and was killed"));
    } else if (!status->success()) {
      log_->warning(log_modules::kWorkerRunner, account(to_text(*status), "was closed"));
    } else {
      show_standard_error();
    }
  } catch (const std::exception& error) {
    // Ctrl-C; or a log that cannot be written: the next message reports that.
    static_cast<void>(error);
  }
  end();
}

void WorkerClient::end() noexcept {
  child_.reset();
  socket_.reset();
  feeds_.release_all();
  heap_.trim();
  outputs_.reset();
}

// The answer to a request. `doing`: the runner's activity, for messages.
WorkerMessage WorkerClient::ask(std::string_view doing) {
  deadline_ = timeout_ ? std::optional(seconds_now() + *timeout_) : std::nullopt;
  bool ended = false;
  try {
    while (true) {
      while (auto message = socket_->next()) {
        if (relay(*message)) continue;
        show_standard_error();
        if (message->topic == WorkerTopic::kFailed) {
          if (batch_failure_) throw CalibrationFailure(*std::exchange(batch_failure_, {}));
          rethrow(*message);
        }
        return std::move(*message);
      }
      if (ended) died(doing);  // after its last messages
      std::optional<double> left;
      if (deadline_) left = std::max(0.0, *deadline_ - seconds_now());
      using Event = ChildProcess::Event;
      const Event event = child_->wait_readable(socket_->fd(), left, cancel_);
      if (event == Event::kTimeIsUp) time_is_up(doing);
      const bool open = socket_->receive();
      ended = !open || event == Event::kEnded;
    }
  } catch (const Interrupted&) {
    end();
    throw;
  }
}

// True for messages to the user, and questions: these are not answers.
bool WorkerClient::relay(const WorkerMessage& message) {
  FieldReader fields(message.fields);
  if (message.topic == WorkerTopic::kCalibrate) {
    send_batch(fields);
    return true;
  }
  if (message.topic != WorkerTopic::kLog) return false;
  const auto severity = fields.get<Severity>();
  const auto module = fields.get<std::string>(), text = fields.get<std::string>();
  const auto once = fields.get<Once>();
  const Logger::Indent deeper(*log_, fields.get<int>());
  log_->log(severity, module, text, once);
  return true;
}

void WorkerClient::send_batch(FieldReader& wanted) {
  FieldWriter fields;
  feeds_.release_all();
  // A script may take hours, and nothing is read from the process meanwhile.
  bool gone = false, late = false;
  const auto abandoned = [&] {
    gone = socket_->hung_up();
    late = deadline_ && seconds_now() > *deadline_;
    return gone || late;
  };
  try {
    const auto first = wanted.get<bool>();
    std::optional<ValueMap> feed =
        request_.options.calibration(wanted.get<Metadata>(), first, abandoned);
    fields.put(feed ? 1 : 0);
    if (feed) feeds_.put(std::move(*feed), fields);
  } catch (const Interrupted&) {
    if (gone) return;  // ask() says how it ended
    if (late) time_is_up("waited for calibration data");
    throw;
  } catch (const Error& error) {
    batch_failure_.emplace(error);
    fields = {};
    fields.put(-1);
  }
  socket_->send(WorkerTopic::kBatch, fields, std::exchange(heap_sent_, true) ? -1 : heap_.fd());
}

// Logs the text that libraries print to standard error.
void WorkerClient::show_standard_error() {
  const Captured& captured = child_->err();
  const uint64_t total = captured.dropped + captured.text.size();
  const uint64_t fresh = std::min<uint64_t>(total - printed_, captured.text.size());
  printed_ = total;
  const std::string_view text =
      strip(std::string_view(captured.text).substr(captured.text.size() - fresh));
  if (!text.empty())
    log_->info(log_modules::kWorkerRunner, label() + "On standard error:\n" + std::string(text));
}

std::string WorkerClient::label() const {
  return request_.runner.empty() ? "" : request_.runner + " | ";
}

// The end of the process during this activity, and its last words.
std::string WorkerClient::account(std::string_view how, std::string_view doing,
                                  std::string_view then) const {
  const std::string words = last_words(child_->err().text);
  return fmt::format("{}{} {} when it {}{}{}", label(), request_.backend, how, doing, then,
                     words.empty() ? "" : " | Its last words: " + words);
}

void WorkerClient::time_is_up(std::string_view doing) {
  child_->kill(0.5);
  const std::string message =
      account(fmt::format("exceeded {} s", *timeout_), doing, ", and was killed");
  end();
  throw WorkerTookTooLong(message, "Give it more time (--timeout).");
}

void WorkerClient::died(std::string_view doing) {
  auto status = child_->wait(kSecondsToStop);
  if (!status) status = child_->kill(0);
  const std::string message = account(to_text(*status), doing);
  end();
  throw WorkerDied(message,
                   signal_name(status->signal) == "SIGKILL"
                       ? "The system may have killed it for lack of memory."
                       : "",
                   *status);
}

}  // namespace polygraphy
