#include "openvino/library.h"

#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <vector>

namespace openvino {
namespace {

// OpenVINO's element types from BOOLEAN on, as ONNX numbers; 0: not in ONNX.
constexpr int32_t kOnnxTypes[] = {
    /*dynamic*/ 0, /*boolean*/ 9, /*bf16*/ 16,  /*f16*/ 10,    /*f32*/ 1,
    /*f64*/ 11,    /*i4*/ 22,
    /*i8*/ 3,      /*i16*/ 5,     /*i32*/ 6,    /*i64*/ 7,     /*u1*/ 0,
    /*u2*/ 25,     /*u3*/ 0,
    /*u4*/ 21,     /*u6*/ 0,      /*u8*/ 2,     /*u16*/ 4,     /*u32*/ 12,
    /*u64*/ 13,    /*nf4*/ 0,
    /*f8e4m3*/ 17, /*f8e5m2*/ 19, /*string*/ 8, /*f4e2m1*/ 23, /*f8e8m0*/ 24,
};

}  // namespace

Library& Library::open(const char* library, const char* const* search, size_t search_count) {
  static std::mutex mutex;
  static auto& libraries = *new std::map<std::string, Library*>;
  const std::lock_guard lock(mutex);
  const pgb::VendorLibrary vendor = pgb::open_vendor_library(
      "OpenVINO's C library", "ov_core_create", library, search, search_count);
  Library*& found = libraries[vendor.path];
  if (!found) found = new Library(vendor.handle, vendor.path);
  return *found;
}

Library::Library(void* handle, std::string path) : path_(std::move(path)), api_(handle) {
  if (!api_.missing().empty()) {
    throw pgb::Failure(
        path_ + " is too old or not OpenVINO's C library: it has no " + api_.missing(), {},
        PGB_UNAVAILABLE);
  }
  ov_version_t version{};
  check(api_.get_version(&version));
  // "2026.4.1-22982-e213a147257-releases/2026/4"
  if (version.buildNumber)
    version_ = std::string(version.buildNumber, std::strcspn(version.buildNumber, "-"));
  api_.version_free(&version);

  // Ask with one tensor which numbering this is: F64 (8 bytes) or, one off, F32 (4 bytes).
  int64_t dims[] = {1};
  const ov_shape_t shape{1, dims};
  ov_tensor_t* tensor = nullptr;
  size_t bytes = 0;
  check(api_.tensor_create(F64, shape, &tensor));
  check(api_.tensor_get_byte_size(tensor, &bytes));
  api_.tensor_free(tensor);
  first_type_ = bytes == 4 ? 1 : 0;
}

int32_t Library::onnx_type(ov_element_type_e type) const {
  const int index = static_cast<int>(type) - first_type_;
  return index >= 0 && index < static_cast<int>(std::size(kOnnxTypes)) ? kOnnxTypes[index] : 0;
}

ov_element_type_e Library::element_type(int32_t type) const {
  for (size_t i = 0; i < std::size(kOnnxTypes); ++i) {
    if (type != 0 && kOnnxTypes[i] == type) {
      return static_cast<ov_element_type_e>(static_cast<int>(i) + first_type_);
    }
  }
  throw pgb::Failure("OpenVINO has no element type for ONNX data type " + std::to_string(type), {},
                     PGB_UNSUPPORTED);
}

void Library::check(ov_status_e status, std::string_view what) const {
  if (status == OK) return;
  std::string message;
  if (const char* text = api_.get_last_err_msg()) {
    message = readable(text);
    api_.free(text);
  }
  if (message.empty()) message = api_.get_error_info(status);
  if (!what.empty()) message = std::string(what) + ": " + message;
  throw pgb::Failure(message, {}, status == NOT_IMPLEMENTED ? PGB_UNSUPPORTED : PGB_FAILED);
}

namespace {

// Lines that name places in OpenVINO's source, or that say nothing new.
bool is_noise(std::string_view line) {
  if (line.empty() || line.starts_with("Exception from ")) return true;
  if (line.starts_with("Check '") && line.find("' failed at ") != std::string_view::npos)
    return true;
  for (const char* text : {"FrontEnd API failed with ", "Model wasn't fully converted", "Summary:",
                           "Loading input model", "To facilitate the conversion", "Details:"}) {
    if (line.starts_with(text)) return true;
  }
  return false;
}

std::string_view trimmed(std::string_view line) {
  constexpr std::string_view kBlank = " \t\r\n";
  const size_t begin = line.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(kBlank) - begin + 1);
}

}  // namespace

std::string readable(std::string_view message) {
  const std::string_view whole = message;
  std::string kept;
  while (!message.empty()) {
    const size_t end = message.find('\n');
    std::string_view line = trimmed(message.substr(0, end));
    message.remove_prefix(end == std::string_view::npos ? message.size() : end + 1);
    if (is_noise(line)) continue;
    if (line.starts_with("-- ")) line.remove_prefix(3);
    if (!kept.empty()) kept += '\n';
    kept += line;
  }
  return kept.empty() ? std::string(trimmed(whole)) : kept;
}

}  // namespace openvino
