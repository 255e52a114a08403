#include "onnxrt/providers.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "common/vendor_library.h"

namespace onnxrt {
namespace {

constexpr char kCpu[] = "CPUExecutionProvider";

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

std::vector<std::string> available_providers(const Library& library) {
  char** names = nullptr;
  int count = 0;
  library.check(library.api().GetAvailableProviders(&names, &count));
  std::vector<std::string> result(names, names + count);
  library.check(library.api().ReleaseAvailableProviders(names, count));
  return result;
}

bool is_library_path(const std::string& text) {
  return text.find('/') != std::string::npos || text.find(".so") != std::string::npos;
}

void add_cuda(const Library& library, OrtSessionOptions* options) {
  const OrtApi& api = library.api();
  OrtCUDAProviderOptionsV2* cuda = nullptr;
  library.check(api.CreateCUDAProviderOptions(&cuda));
  const Owned<OrtCUDAProviderOptionsV2> owned(cuda, api.ReleaseCUDAProviderOptions);
  library.check(api.SessionOptionsAppendExecutionProvider_CUDA_V2(options, cuda));
}

void add_tensorrt(const Library& library, OrtSessionOptions* options) {
  const OrtApi& api = library.api();
  OrtTensorRTProviderOptionsV2* tensorrt = nullptr;
  library.check(api.CreateTensorRTProviderOptions(&tensorrt));
  const Owned<OrtTensorRTProviderOptionsV2> owned(tensorrt, api.ReleaseTensorRTProviderOptions);
  library.check(api.SessionOptionsAppendExecutionProvider_TensorRT_V2(options, tensorrt));
}

// Ahead of others on purpose; as the last one it is there anyway.
void add_cpu(const Library& library, OrtSessionOptions* options) {
  using Append = OrtStatus*(ORT_API_CALL*)(OrtSessionOptions*, int);
  if (const auto append = reinterpret_cast<Append>(
          dlsym(library.handle(), "OrtSessionOptionsAppendExecutionProvider_CPU"))) {
    library.check(append(options, 1));
  }
}

void add_by_name(const Library& library, OrtSessionOptions* options, const std::string& provider) {
  // The generic call takes short names.
  static const std::map<std::string, std::string> kShortNames = {
      {"AzureExecutionProvider", "AZURE"}, {"DmlExecutionProvider", "DML"}};
  constexpr std::string_view kSuffix = "ExecutionProvider";
  std::string name = provider;
  if (const auto found = kShortNames.find(provider); found != kShortNames.end()) {
    name = found->second;
  } else if (name.size() > kSuffix.size() && name.ends_with(kSuffix)) {
    name.resize(name.size() - kSuffix.size());
  }
  library.check(library.api().SessionOptionsAppendExecutionProvider(options, name.c_str(), nullptr,
                                                                    nullptr, 0));
}

// Registers a provider's plugin library (once per library and process) and adds the devices of its
// first provider.
std::string add_plugin(Library& library, OrtSessionOptions* options, const std::string& path) {
#if ORT_API_VERSION >= 22
  if (library.api_version() >= 22) {
    const OrtApi& api = library.api();
    const std::string file = pgb::real_path(path.c_str());
    static std::mutex mutex;
    static auto& registered =
        *new std::map<std::pair<const Library*, std::string>, std::vector<std::string>>;
    const std::lock_guard lock(mutex);

    const auto device_names = [&](auto&& visit) {
      const OrtEpDevice* const* devices = nullptr;
      size_t count = 0;
      library.check(api.GetEpDevices(library.env(), &devices, &count));
      for (size_t i = 0; i < count; ++i)
        visit(devices[i], std::string(api.EpDevice_EpName(devices[i])));
    };
    auto& names = registered[{&library, file}];
    if (names.empty()) {
      std::vector<std::string> before;
      device_names(
          [&](const OrtEpDevice*, std::string name) { before.push_back(std::move(name)); });
      library.check(api.RegisterExecutionProviderLibrary(library.env(), file.c_str(), file.c_str()),
                    path + " cannot be used as an execution provider");
      device_names([&](const OrtEpDevice*, std::string name) {
        if (std::find(before.begin(), before.end(), name) == before.end())
          names.push_back(std::move(name));
      });
    }
    if (names.empty()) {
      throw pgb::bad_option(path + ": this execution provider finds no device on this machine");
    }
    std::vector<const OrtEpDevice*> devices;
    device_names([&](const OrtEpDevice* device, const std::string& name) {
      // One device is enough where a provider offers several kinds; the first is its preference.
      if (name == names.front() && devices.empty()) devices.push_back(device);
    });
    library.check(api.SessionOptionsAppendExecutionProvider_V2(
        options, library.env(), devices.data(), devices.size(), nullptr, nullptr, 0));
    return names.front();
  }
#endif
  (void)options;
  throw pgb::Failure("ONNX Runtime " + library.version() +
                     " does not load execution providers by path (" + path +
                     "): 1.22 or newer is needed");
}

}  // namespace

std::string match_provider(const std::string& requested,
                           const std::vector<std::string>& available) {
  if (std::find(available.begin(), available.end(), requested) != available.end()) return requested;
  const std::string wanted = lower(requested);
  for (const std::string& name : available) {
    const std::string other = lower(name);
    if (other.find(wanted) != std::string::npos || wanted.find(other) != std::string::npos)
      return name;
  }
  return {};
}

std::vector<std::string> add_providers(Library& library, OrtSessionOptions* options,
                                       const std::vector<std::string>& requested) {
  const std::vector<std::string> available = available_providers(library);
  std::vector<std::string> names;
  for (size_t i = 0; i < requested.size(); ++i) {
    const std::string& wanted = requested[i];
    if (is_library_path(wanted)) {
      names.push_back(add_plugin(library, options, wanted));
      continue;
    }
    std::string name = match_provider(wanted, available);
    if (name.empty()) {
      throw pgb::bad_option(
          "Could not find specified ONNX-Runtime execution provider.\nNote: Requested provider "
          "was: " +
          wanted + ", but available providers are: " + pgb::list_text(available));
    }
    if (name == kCpu) {
      if (i + 1 < requested.size()) add_cpu(library, options);
    } else {
      try {
        if (name == "CUDAExecutionProvider") {
          add_cuda(library, options);
        } else if (name == "TensorrtExecutionProvider") {
          add_tensorrt(library, options);
        } else {
          add_by_name(library, options, name);
        }
      } catch (const pgb::Failure& failure) {
        // A listed provider may be unusable, because a driver or another library is missing.
        throw pgb::bad_option("The execution provider " + name +
                              " cannot be used here: " + failure.what());
      }
    }
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace onnxrt
