#include "onnxrt/library.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "common/vendor_library.h"

namespace onnxrt {
namespace {

constexpr const char* kModule = "backend/onnxrt/loader.py";
// SetUserLoggingFunction: without it a session's messages would go to standard error.
constexpr uint32_t kOldestApi = 17;

// "1.32.0" -> 32: the minor version is the version of the C API.
uint32_t api_version_of(const char* version) {
  char* end = nullptr;
  const long major = std::strtol(version, &end, 10);
  if (*end != '.') return 0;
  const long minor = std::strtol(end + 1, nullptr, 10);
  return major == 1 && minor > 0 ? static_cast<uint32_t>(minor) : major > 1 ? ORT_API_VERSION : 0;
}

// From 1.29 on the library reports the models that it is given to its maker, and keeps an
// identifier of the machine in the user's cache, unless this says otherwise while its environment
// is made. A user who has set it has decided already.
class WithoutTelemetry {
 public:
  WithoutTelemetry() : decided_(std::getenv(kVariable) != nullptr) {
    if (!decided_) ::setenv(kVariable, "1", 0);
  }
  ~WithoutTelemetry() {
    if (!decided_) ::unsetenv(kVariable);
  }
  WithoutTelemetry(const WithoutTelemetry&) = delete;
  WithoutTelemetry& operator=(const WithoutTelemetry&) = delete;

 private:
  static constexpr const char* kVariable = "ORT_DISABLE_TELEMETRY";
  bool decided_;
};

}  // namespace

struct LogSink::Seen {
  std::mutex mutex;
  std::set<std::string> places;
};

LogSink::LogSink(pgb::Host host, bool verbatim)
    : host_(host), seen_(std::make_unique<Seen>()), verbatim_(verbatim) {}
LogSink::~LogSink() = default;

OrtLoggingLevel LogSink::level() const {
  return host_.log_enabled(pgb::kExtraVerbose, kModule) ? ORT_LOGGING_LEVEL_INFO
                                                        : ORT_LOGGING_LEVEL_WARNING;
}

void ORT_API_CALL LogSink::receive(void* sink, OrtLoggingLevel severity, const char*, const char*,
                                   const char* location, const char* message) {
  auto& self = *static_cast<LogSink*>(sink);
  if (self.verbatim_) {
    const pgb_severity level = severity == ORT_LOGGING_LEVEL_WARNING  ? pgb::kWarning
                               : severity > ORT_LOGGING_LEVEL_WARNING ? pgb::kError
                                                                      : pgb::kExtraVerbose;
    self.host_.log(level, kModule, message ? message : "");
    return;
  }
  pgb_severity ours = pgb::kExtraVerbose;
  if (severity == ORT_LOGGING_LEVEL_WARNING) {
    const std::lock_guard lock(self.seen_->mutex);
    ours =
        self.seen_->places.insert(location ? location : "").second ? pgb::kWarning : pgb::kVerbose;
  } else if (severity >= ORT_LOGGING_LEVEL_ERROR) {
    // Failures also return a status, which reports them once.
    ours = pgb::kVerbose;
  }
  self.host_.log(ours, kModule, "ONNX Runtime: " + readable(message ? message : ""));
}

struct Library::Messages {
  std::mutex mutex;
  std::vector<LogSink*> sinks;

  static void ORT_API_CALL receive(void* self, OrtLoggingLevel severity, const char* category,
                                   const char* log_id, const char* location, const char* message) {
    auto& messages = *static_cast<Messages*>(self);
    const std::lock_guard lock(messages.mutex);
    if (!messages.sinks.empty()) {
      LogSink::receive(messages.sinks.back(), severity, category, log_id, location, message);
    }
  }
};

Library& Library::open(const char* library, const char* const* search, size_t search_count) {
  static std::mutex mutex;
  static auto& libraries = *new std::map<std::string, Library*>;
  const std::lock_guard lock(mutex);
  const pgb::VendorLibrary vendor =
      pgb::open_vendor_library("ONNX Runtime", "OrtGetApiBase", library, search, search_count);
  Library*& found = libraries[vendor.path];
  if (!found) found = new Library(vendor.handle, vendor.path);
  return *found;
}

Library::Library(void* handle, std::string path) : handle_(handle), path_(std::move(path)) {
  using GetApiBase = const OrtApiBase*(ORT_API_CALL*)();
  const OrtApiBase* base = reinterpret_cast<GetApiBase>(dlsym(handle, "OrtGetApiBase"))();
  version_ = base->GetVersionString();
  const uint32_t newest = api_version_of(version_.c_str());
  // If a version is requested that it does not have, the library prints a line on standard error,
  // so never request one.
  api_version_ = newest < ORT_API_VERSION ? newest : ORT_API_VERSION;
  if (api_version_ >= kOldestApi) api_ = base->GetApi(api_version_);
  if (!api_) {
    throw pgb::Failure("ONNX Runtime " + version_ + " (" + path_ + ") is too old: 1." +
                           std::to_string(kOldestApi) + " or newer is needed",
                       {}, PGB_UNAVAILABLE);
  }
  messages_ = new Messages;
}

OrtEnv* Library::env() {
  std::call_once(env_once_, [&] {
    const WithoutTelemetry without;
    check(api_->CreateEnvWithCustomLogger(&Messages::receive, messages_, ORT_LOGGING_LEVEL_WARNING,
                                          "polygraphy", &env_));
  });
  return env_;
}

namespace {

// The number behind a phrase of a message; 0 when it does not occur.
int32_t number_behind(const std::string& message, std::string_view phrase) {
  const size_t at = message.find(phrase);
  return at == std::string::npos ? 0 : std::atoi(message.c_str() + at + phrase.size());
}

}  // namespace

// The library's error for a model; empty if it accepts the model.
std::string Library::refusal(const unsigned char* model, size_t size) {
  OrtSessionOptions* raw = nullptr;
  check(api_->CreateSessionOptions(&raw));
  const Owned<OrtSessionOptions> options(raw, api_->ReleaseSessionOptions);
  check(api_->SetIntraOpNumThreads(raw, 1));
  OrtSession* session = nullptr;
  OrtStatus* status = api_->CreateSessionFromArray(env(), model, size, raw, &session);
  if (status) return take_message(status);
  api_->ReleaseSession(session);
  return {};
}

int32_t Library::max_ir_version() {
  std::call_once(max_ir_version_once_, [&] {
    // An IR version that does not exist, an empty graph, opset 7.
    static constexpr unsigned char kModel[] = {0x08, 0xff, 0x7f, 0x3a, 0x02, 0x12, 0x00,
                                               0x42, 0x04, 0x0a, 0x00, 0x10, 0x07};
    max_ir_version_ = number_behind(refusal(kModel, sizeof(kModel)), "max supported IR version: ");
  });
  return max_ir_version_;
}

int32_t Library::max_opset() {
  std::call_once(max_opset_once_, [&] {
    // IR version 8, an empty graph, an opset that does not exist.
    static constexpr unsigned char kModel[] = {0x08, 0x08, 0x3a, 0x02, 0x12, 0x00, 0x42,
                                               0x05, 0x0a, 0x00, 0x10, 0xff, 0x7f};
    max_opset_ =
        number_behind(refusal(kModel, sizeof(kModel)), "for domain ai.onnx is till opset ");
  });
  return max_opset_;
}

void Library::attach(LogSink* sink) {
  const std::lock_guard lock(messages_->mutex);
  messages_->sinks.push_back(sink);
}

void Library::detach(LogSink* sink) {
  const std::lock_guard lock(messages_->mutex);
  std::erase(messages_->sinks, sink);
}

std::string Library::take_message(OrtStatus* status) const {
  std::string text = readable(api_->GetErrorMessage(status));
  api_->ReleaseStatus(status);
  return text;
}

namespace {

// Of refusals without a remedy in their text; else empty.
std::string remedy_of(std::string_view message) {
  if (message.find("multiple hard links") == message.npos) return {};
  return "ONNX Runtime reads no data of bodies and functions from a file of several names, as "
         "package managers and copies with links make them. Give the model a separate file: "
         "cp FILE FILE.copy && mv FILE.copy FILE";
}

}  // namespace

void Library::check(OrtStatus* status, std::string_view what) const {
  if (!status) return;
  const OrtErrorCode code = api_->GetErrorCode(status);
  std::string message(what);
  if (!message.empty()) message += ": ";
  message += take_message(status);
  throw pgb::Failure(message, remedy_of(message),
                     code == ORT_NOT_IMPLEMENTED ? PGB_UNSUPPORTED : PGB_FAILED);
}

void Library::check_verbatim(OrtStatus* status) const {
  if (!status) return;
  static constexpr const char* kNames[] = {"SUCCESS",           "FAIL",
                                           "INVALID_ARGUMENT",  "NO_SUCHFILE",
                                           "NO_MODEL",          "ENGINE_ERROR",
                                           "RUNTIME_EXCEPTION", "INVALID_PROTOBUF",
                                           "MODEL_LOADED",      "NOT_IMPLEMENTED",
                                           "INVALID_GRAPH",     "EP_FAIL"};
  const auto code = static_cast<size_t>(api_->GetErrorCode(status));
  const std::string name = code < std::size(kNames) ? kNames[code] : "GENERAL ERROR";
  const std::string message = "[ONNXRuntimeError] : " + std::to_string(code) + " : " + name +
                              " : " + api_->GetErrorMessage(status);
  api_->ReleaseStatus(status);
  throw pgb::Failure(message);
}

namespace {

// The end of the signature at `begin`: the first space outside of brackets behind its parameters.
// `begin` itself if this line has no such space.
size_t end_of_signature(const std::string& text, size_t begin) {
  const size_t line_end = std::min(text.find('\n', begin), text.size());
  int depth = 0;
  bool parameters = false;
  for (size_t at = begin; at <= line_end; ++at) {
    const char c = at < line_end ? text[at] : ' ';
    if (c == '(' || c == '[' || c == '<') ++depth;
    if (c == ')' || c == ']' || c == '>') --depth;
    parameters |= c == '(';
    if (c != ' ' || depth != 0 || !parameters) continue;
    if (text.compare(at, 7, " const ") == 0) at += 6;
    if (text.compare(at, 6, " [with") == 0) continue;
    return at;
  }
  return begin;
}

}  // namespace

std::string readable(std::string_view message) {
  // Every caller says "Load model from x failed:" anyway.
  if (constexpr std::string_view kFailed = " failed:"; message.starts_with("Load model from ")) {
    if (const size_t at = message.find(kFailed); at != std::string_view::npos) {
      message.remove_prefix(at + kFailed.size());
    }
  }
  // "Load model from x failed:/onnxruntime_src/…/model.cc:256 ns::Model::Model(…) [with T = …]
  // Unsupported …"
  std::string text(message);
  while (true) {
    size_t place = text.find(".cc:");
    if (place == std::string::npos) place = text.find(".h:");
    if (place == std::string::npos) break;
    size_t begin = text.rfind("/onnxruntime_src/", place);
    if (begin == std::string::npos) begin = text.rfind(' ', place) + 1;
    size_t end = text.find(':', place) + 1;
    if (end >= text.size() || text[end] < '0' || text[end] > '9') break;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    end = end_of_signature(text, end);
    while (end < text.size() && text[end] == ' ') ++end;
    if (begin > 0 && text[begin - 1] == ':') text.insert(begin++, " "), ++end;
    text.erase(begin, end - begin);
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

}  // namespace onnxrt
