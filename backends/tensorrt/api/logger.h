// TensorRT's messages, in the host's log.
#pragma once

#include <mutex>
#include <set>
#include <string>

#include "tensorrt/api/headers.h"

namespace tensorrt::TENSORRT_FAMILY {

// Where messages of this back end come from, for --verbosity.
inline constexpr const char* kLoaderModule = "backend/trt/loader.py";
inline constexpr const char* kConfigModule = "backend/trt/config.py";
inline constexpr const char* kCalibratorModule = "backend/trt/calibrator.py";
inline constexpr const char* kProfileModule = "backend/trt/profile.py";
inline constexpr const char* kRunnerModule = "backend/trt/runner.py";
inline constexpr const char* kUtilModule = "backend/trt/util.py";

class Logger final : public nv::ILogger {
 public:
  explicit Logger(pgb::Host host) : host_(host) {}

  void log(Severity severity, nv::AsciiChar const* text) noexcept override;

  const pgb::Host& host() const { return host_; }
  // Errors of the library are shown as verbose up to the next take_error(): a failure that comes
  // before them, and is reported by itself, is their cause.
  void lower_errors();
  // The first error since the last call, which is the cause of later ones; empty: no error.
  std::string take_error();
  // Whether there was an error or a warning since the last call.
  bool take_complaint();
  // `what`, with that error as its reason.
  pgb::Failure failure(const std::string& what, const std::string& hint = {});

 private:
  pgb::Host host_;
  std::mutex mutex_;  // TensorRT logs from its own threads
  std::string error_;
  bool complained_ = false, lowered_ = false;
  std::set<std::string> warnings_;  // each is shown once
};

}  // namespace tensorrt::TENSORRT_FAMILY
