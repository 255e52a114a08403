#include "tensorrt/api/calibration.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "common/files.h"
#include "tensorrt/api/names.h"
#include "tensorrt/api/option_text.h"

namespace tensorrt::TENSORRT_FAMILY {

// Whole classes that are there in this family alone.
#if NV_TENSORRT_MAJOR == 10

namespace {

// Has scales from a cache, and no data.
template <typename Base>
class CachedCalibrator final : public Base {
 public:
  CachedCalibrator(std::string cache, double quantile, double cutoff)
      : cache_(std::move(cache)), quantile_(quantile), cutoff_(cutoff) {}

  int32_t getBatchSize() const noexcept override { return 1; }
  bool getBatch(void**, char const**, int32_t) noexcept override { return false; }
  void const* readCalibrationCache(size_t& length) noexcept override {
    length = cache_.size();
    return cache_.data();
  }
  void writeCalibrationCache(void const*, size_t) noexcept override {}
  // Of IInt8LegacyCalibrator; of no use to others.
  double getQuantile() const noexcept { return quantile_; }
  double getRegressionCutoff() const noexcept { return cutoff_; }
  void const* readHistogramCache(size_t& length) noexcept {
    length = 0;
    return nullptr;
  }
  void writeHistogramCache(void const*, size_t) noexcept {}

 private:
  std::string cache_;
  double quantile_, cutoff_;
};

// Its ranges are in the model then, and a calibrator is not asked.
bool is_quantized(const nv::INetworkDefinition& network) {
  for (int32_t i = 0; i < network.getNbLayers(); ++i) {
    const nv::LayerType type = network.getLayer(i)->getType();
    if (type == nv::LayerType::kQUANTIZE || type == nv::LayerType::kDEQUANTIZE) return true;
  }
  return false;
}

double number_in(const pgb::Options& options, std::string_view key) {
  constexpr double kUsual = 0.5;
  const auto text = options.value(key);
  if (!text) return kUsual;
  char* end = nullptr;
  const double number = std::strtod(text->c_str(), &end);
  if (text->empty() || *end != '\0')
    throw pgb::bad_option(spelling_of(key) + ": '" + *text + "' is no number");
  return number;
}

template <typename Base>
std::shared_ptr<void> install(nv::IBuilderConfig& config, const std::string& cache,
                              const pgb::Options& options) {
  auto made = std::make_shared<CachedCalibrator<Base>>(cache, number_in(options, "quantile"),
                                                       number_in(options, "regression_cutoff"));
  config.setInt8Calibrator(made.get());
  return made;
}

}  // namespace

void set_quantization_flags(nv::IBuilderConfig& config, const Library& library,
                            const pgb::Options& options) {
  if (!options.has("quantization_flags")) return;
  const Names<nv::QuantizationFlag> known = {
      {"CALIBRATE_BEFORE_FUSION", nv::QuantizationFlag::kCALIBRATE_BEFORE_FUSION}};
  for (const auto& flag : known) config.clearQuantizationFlag(flag.value);
  for (const std::string& name : options.values("quantization_flags"))
    config.setQuantizationFlag(named(known, name, "--quantization-flags", library));
}

std::shared_ptr<void> make_calibrator(nv::IBuilderConfig& config,
                                      const nv::INetworkDefinition& network, Logger& logger,
                                      const pgb::Options& options) {
  const auto path = options.value("calibration_cache");
  const bool given = path || options.has("calib_base_cls") || options.has("quantile") ||
                     options.has("regression_cutoff");
  if (!options.has("int8")) {
    if (given)
      logger.host().log(pgb::kWarning, kConfigModule,
                        "Options of int8 calibration have no effect without --int8.");
    return nullptr;
  }
  if (is_quantized(network)) return nullptr;
  const auto cache = path ? pgb::read_file(*path) : std::nullopt;
  if (!cache || cache->empty()) {
    throw pgb::Failure(
        "--int8: there is no calibration cache" + (path ? " in " + *path : std::string()) +
            ", and calibration on data is not available here",
        "Give --calibration-cache a file that TensorRT has made, or quantize the model before.");
  }
  const std::string base = options.value("calib_base_cls").value_or("IInt8EntropyCalibrator2");
  if (base == "IInt8EntropyCalibrator2")
    return install<nv::IInt8EntropyCalibrator2>(config, *cache, options);
  if (base == "IInt8EntropyCalibrator")
    return install<nv::IInt8EntropyCalibrator>(config, *cache, options);
  if (base == "IInt8MinMaxCalibrator")
    return install<nv::IInt8MinMaxCalibrator>(config, *cache, options);
  if (base == "IInt8LegacyCalibrator")
    return install<nv::IInt8LegacyCalibrator>(config, *cache, options);
  throw pgb::bad_option("--calib-base-cls: TensorRT has no '" + base + "'",
                        "It has: IInt8EntropyCalibrator2, IInt8EntropyCalibrator, "
                        "IInt8MinMaxCalibrator, IInt8LegacyCalibrator.");
}

#else

// That the options are of no use here has been said (make_config()).
void set_quantization_flags(nv::IBuilderConfig&, const Library&, const pgb::Options&) {}

std::shared_ptr<void> make_calibrator(nv::IBuilderConfig&, const nv::INetworkDefinition&, Logger&,
                                      const pgb::Options&) {
  return nullptr;
}

#endif

}  // namespace tensorrt::TENSORRT_FAMILY
