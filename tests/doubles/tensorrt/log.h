// Messages in the form of TensorRT's: to the logger, and errors to the error recorder, too.
#pragma once

#include <NvInfer.h>
#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace tensorrt_double {

// Ends a call. The text reads "Error Code 4: API Usage Error (... In validate at /_src/x.cpp:1)".
class Refusal : public std::runtime_error {
 public:
  Refusal(int code, const char* kind, const std::string& text)
      : std::runtime_error(fmt::format("Error Code {}: {} ({} In validate at /_src/double.cpp:1)",
                                       code, kind, text)),
        code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};
inline Refusal usage_error(const std::string& text) {
  return {3, "API Usage Error", text};
}

class Log {
 public:
  explicit Log(nvinfer1::ILogger* logger) : logger_(logger) {}

  nvinfer1::ILogger* logger() const { return logger_; }
  nvinfer1::IErrorRecorder* recorder = nullptr;

  void say(nvinfer1::ILogger::Severity severity, const std::string& text) const {
    if (logger_) logger_->log(severity, text.c_str());
  }
  void info(const std::string& text) const { say(nvinfer1::ILogger::Severity::kINFO, text); }
  void warning(const std::string& text) const { say(nvinfer1::ILogger::Severity::kWARNING, text); }
  void error(int code, const std::string& text) const {
    say(nvinfer1::ILogger::Severity::kERROR, text);
    if (recorder) recorder->reportError(static_cast<nvinfer1::ErrorCode>(code), text.c_str());
  }
  // Runs what may throw; `fallback` where it does. `function`: "IBuilder::buildSerializedNetwork".
  template <class Body, class Result>
  Result guarded(const char* function, Body&& body, Result fallback) const noexcept {
    try {
      return body();
    } catch (const Refusal& refusal) {
      error(refusal.code(), fmt::format("{}: {}", function, refusal.what()));
    } catch (const std::exception& failure) {
      error(2, fmt::format("{}: Error Code 2: Internal Error ({})", function, failure.what()));
    }
    return fallback;
  }

 private:
  nvinfer1::ILogger* logger_;
};

}  // namespace tensorrt_double
