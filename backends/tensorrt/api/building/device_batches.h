// The host's calibration data in the GPU's memory.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tensorrt/api/building/profiles.h"
#include "tensorrt/api/headers.h"
#include "tensorrt/driver.h"

namespace tensorrt::TENSORRT_FAMILY {

class DeviceBatches {
 public:
  // Of the optimum shapes of a profile that has all inputs. Types that calibrators do not take
  // become float32, with a warning. One of values of shapes that the profile does not allow comes
  // with the first such batch.
  DeviceBatches(const nv::INetworkDefinition& network, const Profile& profile,
                const pgb::Host& host, const pgb::Options& options);

  // The memory of the next batch, by input; false after the last. The driver is opened for the
  // first. Throws pgb::Failure: no driver, no batch at all, one that is not of those inputs.
  bool next(void* bindings[], char const* names[], int32_t count);

 private:
  struct Input {
    std::vector<int64_t> shape;
    pgb_tensor_info info{};
    size_t bytes = 0;
    std::optional<ShapeRange> values;  // for shape inputs that caused no warning yet
  };
  void load(const std::string& name, const pgb_value& value);
  void check_values(const std::string& name, Input& input, const pgb_value& value);

  const pgb_session_options& session_;
  pgb::Host host_;
  std::string driver_library_;
  std::map<std::string, Input> inputs_;
  std::vector<pgb_tensor_info> infos_;
  std::shared_ptr<Driver> driver_;
  std::map<std::string, DeviceBuffer> buffers_;
  int64_t count_ = 0;  // of batches
};

// Whether the host has any.
bool has_batches(const pgb_session_options& session);

}  // namespace tensorrt::TENSORRT_FAMILY
