#include "tensorrt/api/building/tactic_selector.h"

#include <exception>
#include <string>
#include <utility>

#include "tensorrt/api/names.h"
#include "tensorrt/tactics_file.h"

namespace tensorrt::TENSORRT_FAMILY {

// Whole classes that are there in this family alone.
#if NV_TENSORRT_MAJOR == 10

namespace {

constexpr const char* kModule = "backend/trt/algorithm_selector.py";

const char* python_name(nv::DataType type) {
  switch (type) {
    case nv::DataType::kFLOAT:
      return "DataType.FLOAT";
    case nv::DataType::kHALF:
      return "DataType.HALF";
    case nv::DataType::kINT8:
      return "DataType.INT8";
    case nv::DataType::kINT32:
      return "DataType.INT32";
    case nv::DataType::kBOOL:
      return "DataType.BOOL";
    case nv::DataType::kUINT8:
      return "DataType.UINT8";
    case nv::DataType::kFP8:
      return "DataType.FP8";
    case nv::DataType::kBF16:
      return "DataType.BF16";
    case nv::DataType::kINT64:
      return "DataType.INT64";
    case nv::DataType::kINT4:
      return "DataType.INT4";
    default:
      return "DataType.FP4";
  }
}

std::vector<TacticTensor> tensors_of(const nv::IAlgorithm& algorithm, int32_t first,
                                     int32_t count) {
  std::vector<TacticTensor> tensors;
  for (int32_t i = first; i < first + count; ++i) {
    const nv::IAlgorithmIOInfo* info = algorithm.getAlgorithmIOInfoByIndex(i);
    if (!info) continue;
    const nv::Dims strides = info->getStrides();
    tensors.push_back({python_name(info->getDataType()),
                       {strides.d, strides.d + (strides.nbDims > 0 ? strides.nbDims : 0)},
                       info->getVectorizedDim(),
                       info->getComponentsPerElement()});
  }
  return tensors;
}

TacticAlgorithm algorithm_of(const nv::IAlgorithmContext& context,
                             const nv::IAlgorithm& algorithm) {
  const nv::IAlgorithmVariant& variant = algorithm.getAlgorithmVariant();
  const int32_t inputs = context.getNbInputs();
  return {variant.getImplementation(), variant.getTactic(), tensors_of(algorithm, 0, inputs),
          tensors_of(algorithm, inputs, context.getNbOutputs())};
}

// All choices stand.
int32_t take_all(int32_t count, int32_t* selection) {
  for (int32_t i = 0; i < count; ++i) selection[i] = i;
  return count;
}

// Failures wait until the library is done: none may cross it.
class Selector : public nv::IAlgorithmSelector, public TacticSelector {
 public:
  explicit Selector(Logger& logger) : logger_(logger) {}
  void rethrow_failure() override {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 protected:
  template <typename Result, typename Body>
  Result guarded(Result otherwise, Body body) noexcept {
    try {
      if (!failure_) return body();
    } catch (...) {
      failure_ = std::current_exception();
    }
    return otherwise;
  }

  Logger& logger_;

 private:
  std::exception_ptr failure_;
};

class Recorder final : public Selector {
 public:
  Recorder(Logger& logger, std::string path) : Selector(logger), path_(std::move(path)) {}

  int32_t selectAlgorithms(nv::IAlgorithmContext const&, nv::IAlgorithm const* const*,
                           int32_t count, int32_t* selection) noexcept override {
    return take_all(count, selection);
  }
  void reportAlgorithms(nv::IAlgorithmContext const* const* contexts,
                        nv::IAlgorithm const* const* choices, int32_t count) noexcept override {
    guarded(true, [&] {
      for (int32_t i = 0; i < count; ++i)
        chosen_.emplace_back(contexts[i]->getName(), algorithm_of(*contexts[i], *choices[i]));
      return true;
    });
  }
  void save() override {
    logger_.host().log(pgb::kInfo, kModule, "Saving tactic replay file to " + path_);
    write_tactics(path_, chosen_);
  }

 private:
  std::string path_;
  Tactics chosen_;
};

class Replayer final : public Selector {
 public:
  Replayer(Logger& logger, const std::string& path)
      : Selector(logger), path_(path), wanted_(read_tactics(path)) {}

  int32_t selectAlgorithms(nv::IAlgorithmContext const& context,
                           nv::IAlgorithm const* const* choices, int32_t count,
                           int32_t* selection) noexcept override {
    return guarded(0, [&] {
      const std::string layer = context.getName();
      const TacticAlgorithm* wanted = find(wanted_, layer);
      if (!wanted) {
        logger_.host().log(
            pgb::kWarning, kModule,
            "Layer: " + layer + " is not in " + path_ + ". The builder chooses its algorithm.");
        return take_all(count, selection);
      }
      for (int32_t i = 0; i < count; ++i) {
        if (algorithm_of(context, *choices[i]) != *wanted) continue;
        selection[0] = i;
        return 1;
      }
      std::string offered;
      for (int32_t i = 0; i < count; ++i)
        offered += (i ? ", " : "") + to_text(algorithm_of(context, *choices[i]));
      throw pgb::Failure("--load-tactics: the builder has no algorithm " + to_text(*wanted) +
                             " of " + path_ + " for layer " + layer + ", but " + offered,
                         "Record the tactics anew, with this TensorRT, GPU, model and options.");
    });
  }
  void reportAlgorithms(nv::IAlgorithmContext const* const* contexts,
                        nv::IAlgorithm const* const* choices, int32_t count) noexcept override {
    guarded(true, [&] {
      for (int32_t i = 0; i < count; ++i) {
        const TacticAlgorithm* wanted = find(wanted_, contexts[i]->getName());
        const TacticAlgorithm chosen = algorithm_of(*contexts[i], *choices[i]);
        if (!wanted || *wanted == chosen) continue;
        throw pgb::Failure("layer " + std::string(contexts[i]->getName()) + " was built with " +
                           to_text(chosen) + ", not with " + to_text(*wanted) + " of " + path_);
      }
      return true;
    });
  }
  void save() override {}

 private:
  std::string path_;
  Tactics wanted_;
};

}  // namespace

std::shared_ptr<TacticSelector> make_tactic_selector(nv::IBuilderConfig& config, Logger& logger,
                                                     const pgb::Options& options) {
  std::shared_ptr<Selector> selector;
  if (const auto path = options.value("save_tactics"))
    selector = std::make_shared<Recorder>(logger, *path);
  if (const auto path = options.value("load_tactics"))
    selector = std::make_shared<Replayer>(logger, *path);
  if (!selector) return nullptr;
  config.setAlgorithmSelector(selector.get());
  if (!options.has("load_timing_cache")) {
    logger.host().log(pgb::kWarning, kConfigModule,
                      "The timing cache is disabled: algorithms would be taken from it that were "
                      "never offered. --load-timing-cache enables it.");
    config.setFlag(nv::BuilderFlag::kDISABLE_TIMING_CACHE);
  }
  return selector;
}

#else

// That the options are of no use here has been said (make_config()).
std::shared_ptr<TacticSelector> make_tactic_selector(nv::IBuilderConfig&, Logger&,
                                                     const pgb::Options&) {
  return nullptr;
}

#endif

}  // namespace tensorrt::TENSORRT_FAMILY
