#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "common/json_text.h"
#include "tensorrt/api/describing/descriptions.h"
#include "tensorrt/api/names.h"
#include "tensorrt/api/option_text.h"
#include "tensorrt/api/running/plan.h"
#include "tensorrt/api/tensor_layout.h"
#include "tensorrt/driver.h"

namespace tensorrt::TENSORRT_FAMILY {
namespace {

template <typename Engine>
int64_t device_memory(const Engine& engine, const Library& library) {
  constexpr int32_t kSecondForm = 100100;  // TensorRT 10.1
  if constexpr (requires { engine.getDeviceMemorySize(); }) {
    if (library.version_number() < kSecondForm)
      return static_cast<int64_t>(engine.getDeviceMemorySize());
  }
  return engine.getDeviceMemorySizeV2();
}

// The values of a shape input; empty: no values.
template <typename Engine>
std::vector<int64_t> profile_values(const Engine& engine, const Library& library, const char* name,
                                    int32_t profile, nv::OptProfileSelector which, int64_t count) {
  constexpr int32_t kSecondForm = 101100;  // TensorRT 10.11
  const auto copied = [count](const auto* values) {
    return values ? std::vector<int64_t>(values, values + count) : std::vector<int64_t>();
  };
  if constexpr (requires { engine.getProfileTensorValues(name, profile, which); }) {
    if (library.version_number() < kSecondForm)
      return copied(engine.getProfileTensorValues(name, profile, which));
  }
  return copied(engine.getProfileTensorValuesV2(name, profile, which));
}

class Description {
 public:
  Description(nv::ICudaEngine& engine, const Library& library)
      : engine_(engine), library_(library) {}

  std::string json() {
    json_.open('{').put("name", engine_.getName());
    json_.put("refittable", engine_.isRefittable());
    json_.put("memory", device_memory(engine_, library_));
    json_.put("verbosity", name_of(engine_.getProfilingVerbosity()));
    json_.key("tensors").open('[');
    for (int32_t i = 0; i < engine_.getNbIOTensors(); ++i) put_tensor(engine_.getIOTensorName(i));
    json_.close(']').key("profiles").open('[');
    for (int32_t i = 0; i < engine_.getNbOptimizationProfiles(); ++i) put_profile(i);
    json_.close(']').key("layers").open('[');
    put_layers();
    json_.close(']').close('}');
    return json_.text();
  }

 private:
  bool is_input(const char* name) const {
    return engine_.getTensorIOMode(name) == nv::TensorIOMode::kINPUT;
  }

  void put_tensor(const char* name) {
    std::vector<int64_t> shape = to_vector(engine_.getTensorShape(name));
    // Channels that come last are shown last.
    if (engine_.getTensorFormat(name, 0) == nv::TensorFormat::kHWC && shape.size() >= 3)
      std::rotate(shape.end() - 3, shape.end() - 2, shape.end());
    json_.open('{').put("name", name).put("input", is_input(name));
    json_.put("dtype", int64_t{onnx_type(engine_.getTensorDataType(name))});
    json_.put("shape", shape).close('}');
  }

  void put_profile(int32_t profile) {
    json_.open('[');
    for (int32_t i = 0; i < engine_.getNbIOTensors(); ++i) {
      const char* name = engine_.getIOTensorName(i);
      if (is_input(name)) put_range(name, profile);
    }
    json_.close(']');
  }

  void put_range(const char* name, int32_t profile) {
    using Which = nv::OptProfileSelector;
    constexpr std::array kEnds = {Which::kMIN, Which::kOPT, Which::kMAX};
    json_.open('{').put("name", name).key("shapes").open('[');
    for (const Which which : kEnds)
      json_.value(to_vector(engine_.getProfileShape(name, profile, which)));
    json_.close(']');
    if (engine_.isShapeInferenceIO(name) && volume(engine_.getTensorShape(name)) >= 0) {
      json_.key("values").open('[');
      for (const Which which : kEnds) {
        json_.value(profile_values(engine_, library_, name, profile, which,
                                   volume(engine_.getTensorShape(name))));
      }
      json_.close(']');
    }
    json_.close('}');
  }

  // With TensorRT, layers of the first profile, which are the same for each; with TensorRT-RTX, of
  // all profiles.
  void put_layers() {
    const Owned<nv::IEngineInspector> inspector(engine_.createEngineInspector());
    if (!inspector) return;
    const int32_t count = engine_.getNbLayers();
    const int32_t profiles = std::max(engine_.getNbOptimizationProfiles(), 1);
    const auto text = [&](int32_t layer) {
      const char* told = inspector->getLayerInformation(layer, nv::LayerInformationFormat::kJSON);
      return std::string(told ? told : "");
    };
    // The layers of one profile after another, or the same for all of them.
    const bool repeats = profiles > 1 && count % profiles == 0 &&
                         text(count / profiles).find("[profile 1]") != std::string::npos;
    const int32_t each = repeats ? count / profiles : count;
    const int32_t shown = repeats && library_.family() == Family::kRtx ? profiles : 1;
    for (int32_t profile = 0; profile < shown; ++profile) {
      json_.open('[');
      for (int32_t i = 0; i < each; ++i) json_.value(text(profile * each + i));
      json_.close(']');
    }
  }

  nv::ICudaEngine& engine_;
  const Library& library_;
  pgb::JsonText json_;
};

}  // namespace

std::string engine_json(const Library& library, Logger& logger, const pgb_model& plan,
                        const pgb::Options& options) {
  const auto driver = Driver::open(options.value("trt_driver").value_or(""));
  Plan loaded(library, logger, plan, options);
  return Description(loaded.engine(), library).json();
}

}  // namespace tensorrt::TENSORRT_FAMILY
