#include "tensorflow/library.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>

namespace tensorflow {
namespace {

// TensorFlow's element types from 0 on, as ONNX numbers; 0: not in ONNX. Types of less than a byte
// have a byte per element here, and are left out.
constexpr int32_t kOnnxTypes[] = {
    0,  //
    /*float*/ 1,
    /*double*/ 11,
    /*int32*/ 6,
    /*uint8*/ 2,
    /*int16*/ 5,
    /*int8*/ 3,
    /*string*/ 8,
    /*complex64*/ 14,
    /*int64*/ 7,
    /*bool*/ 9,
    /*qint8*/ 3,
    /*quint8*/ 2,
    /*qint32*/ 6,
    /*bfloat16*/ 16,
    /*qint16*/ 5,
    /*quint16*/ 4,
    /*uint16*/ 4,
    /*complex128*/ 15,
    /*half*/ 10,
    /*resource*/ 0,
    /*variant*/ 0,
    /*uint32*/ 12,
    /*uint64*/ 13,
    /*float8_e5m2*/ 19,
    /*float8_e4m3fn*/ 17,
    /*float8_e4m3fnuz*/ 18,
    /*float8_e4m3b11fnuz*/ 0,
    /*float8_e5m2fnuz*/ 20,
};
constexpr int kReference = 100;  // added to the type by which a variable is read

// Captures text that the library prints while it loads, before its log level can be set: in an
// unnamed file, and then in the log.
class CapturedErrors {
 public:
  CapturedErrors() : file_(memfd_create("errors", MFD_CLOEXEC | 0x8 /* MFD_NOEXEC_SEAL */)) {
    if (file_ < 0) file_ = memfd_create("errors", MFD_CLOEXEC);  // an older system
    if (file_ < 0) return;
    stderr_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    if (stderr_ >= 0) dup2(file_, STDERR_FILENO);
  }
  ~CapturedErrors() {
    restore();
    if (file_ >= 0) close(file_);
  }
  CapturedErrors(const CapturedErrors&) = delete;
  CapturedErrors& operator=(const CapturedErrors&) = delete;

  // The printed text; the last call.
  std::string take() {
    restore();
    std::string text;
    char part[4096];
    ssize_t count;
    while (file_ >= 0 &&
           (count = pread(file_, part, sizeof(part), static_cast<off_t>(text.size()))) > 0) {
      text.append(part, static_cast<size_t>(count));
    }
    while (text.ends_with('\n')) text.pop_back();
    return text;
  }

 private:
  void restore() {
    if (stderr_ < 0) return;
    dup2(stderr_, STDERR_FILENO);
    close(std::exchange(stderr_, -1));
  }

  int file_, stderr_ = -1;
};

}  // namespace

Library& Library::open(const pgb::Host& host, const char* library, const char* const* search,
                       size_t search_count) {
  static std::mutex mutex;
  static auto& libraries = *new std::map<std::string, Library*>;
  const std::lock_guard lock(mutex);
  // Later messages below errors are about devices, and not useful either.
  setenv("TF_CPP_MIN_LOG_LEVEL", "2", 0);
  CapturedErrors errors;
  const pgb::VendorLibrary vendor = pgb::open_vendor_library(
      "TensorFlow", "TF_LoadSessionFromSavedModel", library, search, search_count);
  if (const std::string text = errors.take(); !text.empty())
    host.log(pgb::kVerbose, "backend/tf/util.py", text);
  Library*& found = libraries[vendor.path];
  if (!found) found = new Library(vendor.handle, vendor.path);
  return *found;
}

Library::Library(void* handle, std::string path) : path_(std::move(path)), api_(handle) {
  if (!api_.missing().empty()) {
    throw pgb::Failure(path_ + " is too old or not TensorFlow: it has no " + api_.missing(), {},
                       PGB_UNAVAILABLE);
  }
  version_ = api_.Version();
}

int32_t onnx_type(int type) {
  if (type > kReference) type -= kReference;
  return type >= 0 && type < static_cast<int>(std::size(kOnnxTypes)) ? kOnnxTypes[type] : 0;
}

int tensorflow_type(int32_t type) {
  constexpr int kQuint16 = 16;  // the only quantized type in front of the one without a scale
  for (int i = 0; i < static_cast<int>(std::size(kOnnxTypes)); ++i) {
    if (type != 0 && kOnnxTypes[i] == type && i != kQuint16) return i;
  }
  throw pgb::Failure("TensorFlow has no element type for ONNX data type " + std::to_string(type),
                     {}, PGB_UNSUPPORTED);
}

void Status::check(std::string_view what) const {
  if (ok()) return;
  constexpr int kUnimplemented = 12;
  std::string message = readable(api_.Message(status_.get()));
  if (message.empty()) message = "TensorFlow reported no reason";
  if (!what.empty()) message = std::string(what) + ": " + message;
  throw pgb::Failure(message, {},
                     api_.GetCode(status_.get()) == kUnimplemented ? PGB_UNSUPPORTED : PGB_FAILED);
}

std::string readable(std::string_view message) {
  // Lines of a trace, and of where the same failure was seen again.
  for (const char* end : {"\n\nOriginal stack trace", "\n\t [[", "\n  (1) ", "\n0 successful",
                          "\n\nStack trace for op definition"}) {
    message = message.substr(0, message.find(end));
  }
  while (!message.empty() && (message.back() == '\n' || message.back() == ' '))
    message.remove_suffix(1);
  std::string kept(message);
  // "{{node y}} = Op[attributes of a screen's length](x)": the name is enough.
  for (size_t at = kept.find("{{node "); at != std::string::npos; at = kept.find("{{node ", at)) {
    const size_t end = kept.find("}}", at);
    if (end == std::string::npos) break;
    const std::string name = kept.substr(at + 7, end - at - 7);
    size_t after = end + 2;
    if (kept.compare(after, 3, " = ") == 0) after = kept.find_first_of(";\n", after);
    if (after == std::string::npos) after = kept.size();
    kept.replace(at, after - at, "'" + name + "'");
    at += name.size();
  }
  return kept;
}

}  // namespace tensorflow
