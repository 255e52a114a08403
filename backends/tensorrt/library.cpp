#include "tensorrt/library.h"

#include <dlfcn.h>

#include <string>

namespace tensorrt {
namespace {

constexpr const char* kVersionSymbol = "getInferLibVersion";

// Numbers below are TensorRT-RTX's; TensorRT itself begins with 10.0.0 = 100000.
constexpr int32_t kFirstOfTensorRt = 60000;
constexpr int32_t kFirstOfRtx = 10000;  // 1.0.0; below are TensorRT 8 and older: 8601

using Create = void* (*)(void*, int32_t);
using CreateParser = void* (*)(void*, void*, int);
using RegisterPlugins = bool (*)(void*, const char*);

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
  throw pgb::Failure(what, hint, PGB_UNAVAILABLE);
}

// Lean and dispatch runtimes have not all of them.
Create entry(const pgb::VendorLibrary& library, const char* symbol) {
  const auto found = library.find<Create>(symbol);
  if (!found) refuse(library.path + " has no " + symbol, "Use TensorRT's full library.");
  return found;
}

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/') + 1);
}

}  // namespace

Library Library::open(const char* path, const char* const* search, size_t search_count) {
  Library library;
  library.infer_ = pgb::open_vendor_library("TensorRT", kVersionSymbol, path, search, search_count);
  const int32_t number = library.infer_.find<int32_t (*)()>(kVersionSymbol)();
  library.number_ = number;
  if (number < kFirstOfRtx) {
    refuse(library.path() + " is TensorRT " + std::to_string(number / 1000) + "." +
               std::to_string(number / 100 % 10) + ", which is too old",
           "Use TensorRT 10 or 11, or TensorRT-RTX 1.5 or newer.");
  }
  library.major_ = number / 10000;
  const int minor = number / 100 % 100;
  library.version_ = std::to_string(library.major_) + "." + std::to_string(minor) + "." +
                     std::to_string(number % 100);
  if (number < kFirstOfTensorRt) {
    library.family_ = Family::kRtx;
    if (library.major_ > 1 || minor < 5) {
      refuse(library.path() + " is " + library.name() + ", with an incompatible interface",
             "Use TensorRT-RTX 1.5 or newer.");
    }
  } else if (library.major_ == 10) {
    library.family_ = Family::kTensorRt10;
  } else if (library.major_ == 11) {
    library.family_ = Family::kTensorRt11;
  } else {
    refuse(library.path() + " is " + library.name() + ", which is not supported",
           "Use TensorRT 10 or 11, or TensorRT-RTX 1.5 or newer.");
  }
  return library;
}

std::string Library::name() const {
  return (family_ == Family::kRtx ? "TensorRT-RTX " : "TensorRT ") + version_;
}

void* Library::open_sibling(const std::string& name) const {
  const std::string folder = folder_of(path());
  const std::string major = name + ".so." + std::to_string(major_);
  const std::string full = name + ".so." + version_;
  for (const std::string& candidate :
       {folder + major, folder + full, folder + name + ".so", major}) {
    if (void* handle = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
  }
  return nullptr;
}

void* Library::create_builder(void* logger, int32_t headers) const {
  return entry(infer_, "createInferBuilder_INTERNAL")(logger, headers);
}

void* Library::create_runtime(void* logger, int32_t headers) const {
  return entry(infer_, "createInferRuntime_INTERNAL")(logger, headers);
}

void* Library::create_onnx_parser(void* network, void* logger, int32_t headers) const {
  const std::string name =
      family_ == Family::kRtx ? "libtensorrt_onnxparser_rtx" : "libnvonnxparser";
  void* handle = open_sibling(name);
  const auto create =
      handle ? reinterpret_cast<CreateParser>(dlsym(handle, "createNvOnnxParser_INTERNAL"))
             : nullptr;
  if (!create) {
    refuse("no library " + name + ".so." + std::to_string(major_) + " beside " + path(),
           "Install the ONNX parser of " + this->name() + ".");
  }
  return create(network, logger, headers);
}

void Library::register_plugins(void* logger) const {
  if (family_ == Family::kRtx) return;  // it has none
  void* handle = open_sibling("libnvinfer_plugin");
  const auto start =
      handle ? reinterpret_cast<RegisterPlugins>(dlsym(handle, "initLibNvInferPlugins")) : nullptr;
  if (start) start(logger, "");
}

}  // namespace tensorrt
