// The user's TensorRT: its libraries, and which of the three families of interfaces they have.
#pragma once

#include <cstdint>
#include <string>

#include "common/vendor_library.h"

namespace tensorrt {

// Within one, classes only grow at their ends, and an enumerator keeps its number.
enum class Family { kTensorRt10, kTensorRt11, kRtx };

class Library {
 public:
  // Throws pgb::Failure(PGB_UNAVAILABLE) for a missing, too old or too new library.
  static Library open(const char* path, const char* const* search, size_t search_count);

  Family family() const { return family_; }
  // "10.16.0", "1.7.1" of TensorRT-RTX.
  const std::string& version() const { return version_; }
  int32_t version_number() const { return number_; }
  // "TensorRT 10.16.0", "TensorRT-RTX 1.7.1".
  std::string name() const;
  const std::string& path() const { return infer_.path; }

  void* create_builder(void* logger, int32_t headers) const;
  void* create_runtime(void* logger, int32_t headers) const;
  // Opens the library at the first call, as the one below. Throws pgb::Failure.
  void* create_onnx_parser(void* network, void* logger, int32_t headers) const;
  // Registers TensorRT's plugins, if their library exists.
  void register_plugins(void* logger) const;

 private:
  // One of the libraries that belong to this one: it lies beside it, or where the system finds it.
  void* open_sibling(const std::string& name) const;

  pgb::VendorLibrary infer_;
  Family family_ = Family::kTensorRt10;
  int32_t number_ = 0;
  int major_ = 0;
  std::string version_;
};

}  // namespace tensorrt
