#include "tensorrt/api/logger.h"

#include <utility>

namespace tensorrt::TENSORRT_FAMILY {
namespace {

// The message of a library without a driver after every other error.
bool is_about_the_driver(std::string_view text) {
  return text.find("cudaError 35") != text.npos || text.find("Cuda error 35") != text.npos;
}

constexpr const char* kNeedsDriver =
    "This needs a GPU, but the NVIDIA driver is missing or too old for the library.\nInstall "
    "NVIDIA's driver. TensorRT-RTX builds engines for other GPUs without a driver, if "
    "--compute-capabilities names them.";

}  // namespace

void Logger::log(Severity severity, nv::AsciiChar const* text) noexcept {
  try {
    pgb_severity shown = pgb::kExtraVerbose;
    {
      const std::lock_guard lock(mutex_);
      complained_ |= severity <= Severity::kWARNING;
      switch (severity) {
        case Severity::kINTERNAL_ERROR:
        case Severity::kERROR:
          shown = lowered_ ? pgb::kVerbose : pgb::kError;
          if (!error_.empty() && is_about_the_driver(text)) return;
          if (error_.empty()) error_ = text;
          break;
        case Severity::kWARNING:
          shown = pgb::kWarning;
          if (!warnings_.insert(text).second) return;
          break;
        case Severity::kINFO:
          shown = pgb::kVerbose;
          break;
        case Severity::kVERBOSE:
          break;
      }
    }
    host_.log(shown, kUtilModule, text);
  } catch (...) {  // out of memory: a message is lost
  }
}

void Logger::lower_errors() {
  const std::lock_guard lock(mutex_);
  lowered_ = true;
}

std::string Logger::take_error() {
  const std::lock_guard lock(mutex_);
  lowered_ = false;
  return std::exchange(error_, {});
}

bool Logger::take_complaint() {
  const std::lock_guard lock(mutex_);
  return std::exchange(complained_, false);
}

pgb::Failure Logger::failure(const std::string& what, const std::string& hint) {
  const std::string reason = take_error();
  if (reason.empty()) return pgb::Failure(what, hint);
  return pgb::Failure(what + ": " + reason, is_about_the_driver(reason) ? kNeedsDriver : hint);
}

}  // namespace tensorrt::TENSORRT_FAMILY
