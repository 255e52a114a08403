#include "record.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>

#include "made.h"

namespace tensorrt_double {
namespace {

// Looked up with each call: tests in one process record into several files.
int recording_file() {
  static std::mutex mutex;
  static std::string open_path;
  static int file = -1;
  const char* variable = std::getenv("PG_TENSORRT_DOUBLE_RECORD");
  const std::string path = variable ? variable : "";
  const std::lock_guard lock(mutex);
  if (path == open_path) return file;
  if (file >= 0) ::close(file);
  file = path.empty() ? -1 : ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  open_path = path;
  return file;
}

}  // namespace

bool is_recording() {
  const char* variable = std::getenv("PG_TENSORRT_DOUBLE_RECORD");
  return variable && *variable;
}

// One write per line, so that lines of several processes do not mix.
void record_line(std::string_view line) {
  const int file = recording_file();
  if (file < 0) return;
  const std::string whole = std::string(line) + "\n";
  [[maybe_unused]] const ssize_t written = ::write(file, whole.data(), whole.size());
}

void say_not_implemented(const char* function) {
  record_line(fmt::format("not implemented: {}", function));
}

void stop_not_implemented(const char* function) {
  fmt::print(stderr, "the double of TensorRT has no {}\n", function);
  std::abort();
}

std::string text_of(const char* text) {
  return text ? fmt::format("\"{}\"", text) : "null";
}

std::string text_of(const nvinfer1::Dims& dims) {
  std::string text;
  for (int i = 0; i < dims.nbDims; ++i) {
    text += (i ? "," : "") + std::to_string(static_cast<int64_t>(dims.d[i]));
  }
  return "[" + text + "]";
}

std::string text_of(const nvinfer1::Weights& weights) {
  const char* type = name_of(weights.type);
  return fmt::format("{} weights of {}", static_cast<int64_t>(weights.count), type ? type : "?");
}

}  // namespace tensorrt_double
