#include "tensorrt/api/building/calibration.h"

#include <cstdlib>
#include <exception>
#include <string>
#include <utility>

#include "common/files.h"
#include "tensorrt/api/building/device_batches.h"
#include "tensorrt/api/names.h"
#include "tensorrt/api/option_text.h"

namespace tensorrt::TENSORRT_FAMILY {

// Whole classes that are there in this family alone.
#if NV_TENSORRT_MAJOR == 10

namespace {

struct Legacy {
  double quantile = 0.5, cutoff = 0.5;
};

// The scales of a cache, or the batches that they are found with. Failures wait until the library
// is done: none may cross it.
template <typename Base>
class Calibrator final : public Base, public Calibration {
 public:
  Calibrator(std::string path, std::string cache, DeviceBatches batches, Legacy legacy,
             Logger& logger)
      : path_(std::move(path)),
        cache_(std::move(cache)),
        batches_(std::move(batches)),
        legacy_(legacy),
        logger_(logger) {}

  int32_t getBatchSize() const noexcept override { return 1; }
  bool getBatch(void* bindings[], char const* names[], int32_t count) noexcept override {
    try {
      if (failure_) return false;
      if (!std::exchange(calibrates_, true) && !cache_.empty()) {
        logger_.host().log(pgb::kWarning, kCalibratorModule,
                           "TensorRT rejected the calibration cache " + path_ +
                               ": calibrating int8 again and replacing the cache.");
      }
      return batches_.next(bindings, names, count);
    } catch (...) {
      failure_ = std::current_exception();
      logger_.lower_errors();
      return false;
    }
  }
  void const* readCalibrationCache(size_t& length) noexcept override {
    length = cache_.size();
    return cache_.empty() ? nullptr : cache_.data();
  }
  // At once: the build continues for long, and may fail.
  void writeCalibrationCache(void const* bytes, size_t length) noexcept override {
    if (path_.empty() || !calibrates_ || failure_) return;
    try {
      logger_.host().log(pgb::kInfo, kCalibratorModule, "Saving calibration cache to " + path_);
      pgb::write_file_atomically(path_, bytes, length);
    } catch (const std::exception& error) {
      logger_.host().log(pgb::kError, kCalibratorModule, error.what());
    }
  }
  // Of IInt8LegacyCalibrator; of no use to others.
  double getQuantile() const noexcept { return legacy_.quantile; }
  double getRegressionCutoff() const noexcept { return legacy_.cutoff; }
  void const* readHistogramCache(size_t& length) noexcept {
    length = 0;
    return nullptr;
  }
  void writeHistogramCache(void const*, size_t) noexcept {}

  void rethrow_failure() override {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }
  std::string hint() const override {
    if (cache_.empty() || calibrates_) return {};
    return "The build used the calibration cache " + path_ +
           ". If the cache is wrong, delete it, and the next build calibrates again.";
  }

 private:
  std::string path_, cache_;
  DeviceBatches batches_;
  Legacy legacy_;
  Logger& logger_;
  bool calibrates_ = false;  // the builder requested a batch
  std::exception_ptr failure_;
};

// Its ranges are in the model then, and the builder does not call a calibrator.
bool is_quantized(const nv::INetworkDefinition& network) {
  for (int32_t i = 0; i < network.getNbLayers(); ++i) {
    const nv::LayerType type = network.getLayer(i)->getType();
    if (type == nv::LayerType::kQUANTIZE || type == nv::LayerType::kDEQUANTIZE) return true;
  }
  return false;
}

double fraction_in(const pgb::Options& options, std::string_view key, double usual) {
  const auto text = options.value(key);
  if (!text) return usual;
  char* end = nullptr;
  const double number = std::strtod(text->c_str(), &end);
  if (text->empty() || *end != '\0' || !(number >= 0 && number <= 1)) {
    throw pgb::bad_option(spelling_of(key) + " takes a number from 0 to 1, but received: " + *text);
  }
  return number;
}

// Empty: it is to be made.
std::string read_cache(const std::string& path, const pgb::Host& host) {
  const auto cache = path.empty() ? std::nullopt : pgb::read_file(path);
  if (!cache) return {};
  host.log(pgb::kInfo, kCalibratorModule, "Loading calibration cache from " + path);
  if (cache->empty()) {
    host.log(pgb::kWarning, kCalibratorModule,
             "The calibration cache is empty: " + path + ". Calibrating again.");
  }
  return *cache;
}

}  // namespace

void set_quantization_flags(nv::IBuilderConfig& config, const Library& library,
                            const pgb::Options& options) {
  if (!options.has("quantization_flags")) return;
  using Flag = nv::QuantizationFlag;
  for (const auto& flag : names<Flag>()) config.clearQuantizationFlag(flag.value);
  for (const std::string& name : options.values("quantization_flags"))
    config.setQuantizationFlag(named<Flag>(name, "--quantization-flags", library));
}

std::shared_ptr<Calibration> make_calibrator(nv::IBuilderConfig& config,
                                             const nv::INetworkDefinition& network,
                                             const AddedProfile& profile, Logger& logger,
                                             const pgb::Options& options) {
  const std::string path = options.value("calibration_cache").value_or("");
  if (!options.has("int8")) {
    if (options.has("calibration_cache") || options.has("calib_base_cls") ||
        options.has("quantile") || options.has("regression_cutoff"))
      logger.host().log(pgb::kWarning, kConfigModule,
                        "Options of int8 calibration have no effect without --int8.");
    return nullptr;
  }
  if (is_quantized(network)) {
    logger.host().log(pgb::kInfo, kCalibratorModule,
                      "The network is quantized: using its scales, without calibration.");
    return nullptr;
  }
  std::string cache = read_cache(path, logger.host());
  if (cache.empty() && !has_batches(options.session())) {
    throw pgb::Failure(
        "--int8: no calibration cache" + (path.empty() ? path : " in " + path) +
            ", and no calibration data",
        "Give --calibration-cache a file written by TensorRT, or quantize the model first.");
  }
  DeviceBatches batches(network, profile.ranges, logger.host(), options);
  const Legacy legacy = {.quantile = fraction_in(options, "quantile", 0.5),
                         .cutoff = fraction_in(options, "regression_cutoff", 0.5)};
  const std::string base = options.value("calib_base_cls").value_or("IInt8EntropyCalibrator2");
  const auto install = [&]<typename Base>(Base*) -> std::shared_ptr<Calibration> {
    auto made = std::make_shared<Calibrator<Base>>(path, std::move(cache), std::move(batches),
                                                   legacy, logger);
    config.setInt8Calibrator(made.get());
    config.setCalibrationProfile(profile.profile);
    logger.host().log(pgb::kInfo, kConfigModule,
                      "Using calibration profile: " + profile_text(profile.ranges));
    return made;
  };
  if (base == "IInt8EntropyCalibrator2")
    return install(static_cast<nv::IInt8EntropyCalibrator2*>(nullptr));
  if (base == "IInt8EntropyCalibrator")
    return install(static_cast<nv::IInt8EntropyCalibrator*>(nullptr));
  if (base == "IInt8MinMaxCalibrator")
    return install(static_cast<nv::IInt8MinMaxCalibrator*>(nullptr));
  if (base == "IInt8LegacyCalibrator")
    return install(static_cast<nv::IInt8LegacyCalibrator*>(nullptr));
  throw pgb::bad_option("--calib-base-cls: TensorRT has no '" + base + "'",
                        "It has: IInt8EntropyCalibrator2, IInt8EntropyCalibrator, "
                        "IInt8MinMaxCalibrator, IInt8LegacyCalibrator.");
}

#else

// make_config() already warned that the options have no effect here.
void set_quantization_flags(nv::IBuilderConfig&, const Library&, const pgb::Options&) {}

std::shared_ptr<Calibration> make_calibrator(nv::IBuilderConfig&, const nv::INetworkDefinition&,
                                             const AddedProfile&, Logger&, const pgb::Options&) {
  return nullptr;
}

#endif

}  // namespace tensorrt::TENSORRT_FAMILY
