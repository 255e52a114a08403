#include "polygraphy/facade/tensorrt_options.h"

#include <fmt/format.h>

namespace polygraphy {
namespace {

using Texts = std::vector<std::string>;

std::string shape_text(const Shape& shape) {
  std::string text;
  for (const int64_t dim : shape) text += (text.empty() ? "" : ",") + std::to_string(dim);
  return "[" + text + "]";
}

// Options for members that are set: a flag, a text, a number, a list that is not empty, a list that
// is there, values by name.
class OptionList {
 public:
  explicit OptionList(BackendOptions others) : others_(std::move(others)) {}

  OptionList& add(const char* key, bool set) { return set ? put(key, {}) : *this; }
  OptionList& add(const char* key, const std::string& text) {
    return text.empty() ? *this : put(key, {text});
  }
  OptionList& add(const char* key, const std::optional<int>& number) {
    return number ? put(key, {std::to_string(*number)}) : *this;
  }
  OptionList& add(const char* key, const std::optional<double>& number) {
    return number ? put(key, {fmt::format("{}", *number)}) : *this;
  }
  OptionList& add(const char* key, const Texts& list) {
    return list.empty() ? *this : put(key, list);
  }
  OptionList& add(const char* key, const std::optional<Texts>& list) {
    return list ? put(key, *list) : *this;
  }
  template <typename T>
  OptionList& add(const char* key, const OrderedMap<T>& values) {
    Texts list;
    for (const auto& [name, value] : values) list.push_back(name + ":" + text_of(value));
    return add(key, list);
  }
  // The others come last, so that they win.
  BackendOptions take() {
    for (auto& option : others_) options_.push_back(std::move(option));
    return std::move(options_);
  }

 private:
  OptionList& put(const char* key, Texts values) {
    options_.emplace_back(key, std::move(values));
    return *this;
  }
  static std::string text_of(const std::string& text) { return text; }
  static std::string text_of(int64_t number) { return std::to_string(number); }
  static std::string text_of(const Texts& list) {
    std::string text;
    for (const std::string& each : list) text += (text.empty() ? "" : ",") + each;
    return "[" + text + "]";
  }

  BackendOptions options_, others_;
};

void add_profiles(OptionList& list, const std::vector<Profile>& profiles) {
  for (const Profile& profile : profiles) {
    Texts min, opt, max;
    for (const auto& [input, range] : profile.inputs()) {
      min.push_back(input + ":" + shape_text(range.min));
      opt.push_back(input + ":" + shape_text(range.opt));
      max.push_back(input + ":" + shape_text(range.max));
    }
    list.add("trt_min_shapes", std::optional(min))
        .add("trt_opt_shapes", std::optional(opt))
        .add("trt_max_shapes", std::optional(max));
  }
}

void add_calibrator(OptionList& list, const Calibrator& calibrator) {
  list.add("calibration_cache", calibrator.cache)
      .add("calib_base_cls", calibrator.base_class)
      .add("quantile", calibrator.quantile)
      .add("regression_cutoff", calibrator.regression_cutoff);
}

}  // namespace

BackendOptions options_of(const TrtNetwork& network) {
  OptionList list(network.options);
#define PGB_OPTION(type, member, key, ...) list.add(key, network.member);
#include "polygraphy/options/tensorrt/network_options.inc"
  return list.take();
}

BackendOptions options_of(const TrtConfig& config) {
  OptionList list(config.options);
  add_profiles(list, config.profiles);
  if (config.calibrator) add_calibrator(list, *config.calibrator);
  list.add("save_timing_cache", config.save_timing_cache);
#define PGB_OPTION(type, member, key, ...) list.add(key, config.member);
#include "polygraphy/options/tensorrt/config_options.inc"
  return list.take();
}

}  // namespace polygraphy
