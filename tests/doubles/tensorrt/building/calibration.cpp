#include "building/calibration.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <regex>
#include <sstream>
#include <string_view>

namespace tensorrt_double {
namespace {

// The largest magnitude of an input so far.
using Ranges = std::map<std::string, float>;

// The form of a calibration cache: a title, then each tensor with the bits of its scale.
std::string title_of(const std::string& algorithm) {
  return fmt::format("TRT-{}-{}",
                     NV_TENSORRT_MAJOR * 10000 + NV_TENSORRT_MINOR * 100 + NV_TENSORRT_PATCH,
                     algorithm);
}

std::string cache_text(const Ranges& ranges, const std::string& algorithm) {
  std::string text = title_of(algorithm) + "\n";
  for (const auto& [name, range] : ranges) {
    const float scale = range / 127.0F;
    uint32_t bits = 0;
    std::memcpy(&bits, &scale, sizeof(bits));
    text += fmt::format("{}: {:08x}\n", name, bits);
  }
  return text;
}

// False for the cache of another version. Throws Refusal for a file that is not a cache of this
// algorithm.
bool reads(std::string_view cache, const std::string& algorithm) {
  std::istringstream lines{std::string(cache)};
  std::string title, line;
  std::getline(lines, title);
  if (!std::regex_match(title, std::regex("TRT-[0-9]+-" + algorithm)))
    throw usage_error("The calibration cache is not of the calibrator's algorithm.");
  while (std::getline(lines, line)) {
    if (!std::regex_match(line, std::regex(".+: [0-9a-f]{8}")))
      throw usage_error("The calibration cache is damaged: " + line);
  }
  return title == title_of(algorithm);
}

int64_t elements(const TensorImpl& input, const ConfigImpl& config) {
  nvinfer1::Dims dims = input.dims;
  const auto* profile = config.calibration_profile;
  if (!profile && !config.profiles.empty()) profile = config.profiles[0];
  if (!is_static(dims) && profile) {
    dims = ProfileObject::impl_of(*profile).getDimensions(input.name.c_str(),
                                                          nvinfer1::OptProfileSelector::kOPT);
  }
  return is_static(dims) ? volume(dims) : 0;
}

template <class Calibrator>
void calibrate_with(Calibrator& calibrator, const NetworkImpl& network, const ConfigImpl& config) {
  const char* name = name_of(calibrator.getAlgorithm());
  const std::string algorithm = name ? name + 1 : "";
  size_t length = 0;
  if (const void* cache = calibrator.readCalibrationCache(length); cache && length > 0) {
    if (reads({static_cast<const char*>(cache), length}, algorithm)) {
      record_line(fmt::format("calibration cache read: {} bytes", length));
      return;
    }
    config.log.warning("The calibration cache is of another version, and is not used.");
  }
  std::vector<const char*> names;
  std::vector<const TensorImpl*> inputs;
  for (const auto* tensor : network.inputs) {
    inputs.push_back(&TensorObject::impl_of(*tensor));
    names.push_back(inputs.back()->name.c_str());
  }
  Ranges ranges;
  int batches = 0;
  std::vector<void*> bindings(names.size());
  while (calibrator.getBatch(bindings.data(), names.data(), static_cast<int32_t>(names.size()))) {
    ++batches;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const auto* values = static_cast<const float*>(bindings[i]);
      if (!values) throw usage_error("the calibrator gave no batch of " + inputs[i]->name);
      if (inputs[i]->type != nvinfer1::DataType::kFLOAT) continue;
      float& range = ranges[inputs[i]->name];
      for (int64_t e = 0; e < elements(*inputs[i], config); ++e) {
        range = std::max(range, std::fabs(values[e]));
      }
    }
  }
  record_line(fmt::format("calibration batches: {}", batches));
  if (batches == 0)
    throw usage_error("Calibration failure occurred with no scaling factors detected.");
  const std::string text = cache_text(ranges, algorithm);
  calibrator.writeCalibrationCache(text.data(), text.size());
}

// A template, so that nothing is looked up where there are no calibrators.
template <class Config>
void calibrate_if_wanted(const NetworkImpl& network, const Config& config) {
  if constexpr (requires { config.calibrator->getBatchSize(); }) {
    calibrate_with(*config.calibrator, network, config);
  }
}

}  // namespace

void calibrate(const NetworkImpl& network, const ConfigImpl& config) {
  if (config.calibrator && config.flag("kINT8")) calibrate_if_wanted(network, config);
}

}  // namespace tensorrt_double
