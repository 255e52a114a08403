#include "tensorrt/api/building/tactic_selector.h"

#include <algorithm>
#include <exception>
#include <set>
#include <string>
#include <utility>
#include <vector>

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
    case nv::DataType::kE8M0:
      return "DataType.E8M0";
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
      std::vector<TacticAlgorithm> offered;
      for (int32_t i = 0; i < count; ++i) {
        offered.push_back(algorithm_of(context, *choices[i]));
        if (offered.back() != *wanted) continue;
        selection[0] = i;
        return 1;
      }
      throw mismatch(layer, *wanted, offered);
    });
  }
  void reportAlgorithms(nv::IAlgorithmContext const* const* contexts,
                        nv::IAlgorithm const* const* choices, int32_t count) noexcept override {
    guarded(true, [&] {
      std::set<std::string> built;
      for (int32_t i = 0; i < count; ++i) {
        const std::string& layer = *built.emplace(contexts[i]->getName()).first;
        const TacticAlgorithm* wanted = find(wanted_, layer);
        const TacticAlgorithm chosen = algorithm_of(*contexts[i], *choices[i]);
        if (wanted && *wanted != chosen) throw mismatch(layer, *wanted, {chosen});
      }
      warn_of_other_layers(built);
      return true;
    });
  }
  void save() override {}

 private:
  // None of `offered`, which are not all alike, is `wanted`.
  pgb::Failure mismatch(const std::string& layer, const TacticAlgorithm& wanted,
                        const std::vector<TacticAlgorithm>& offered) const {
    const std::string begin = "--load-tactics: layer " + layer + ": ";
    const std::string remedy =
        "Record the tactics again with this TensorRT, GPU, model and options.";
    // Among choices that differ only in their tensors, the difference of the most similar one.
    std::vector<std::string> differences, others;
    for (const TacticAlgorithm& each : offered) {
      if (!same_variant(each, wanted)) {
        if (const std::string text = to_text(each);
            std::find(others.begin(), others.end(), text) == others.end())
          others.push_back(text);
        continue;
      }
      auto these = tensor_differences(wanted, each);
      if (differences.empty() || these.size() < differences.size()) differences = std::move(these);
    }
    if (!differences.empty()) {
      return pgb::Failure(
          begin + "algorithm " + to_text(wanted) + " in " + path_ +
              " was recorded with other inputs or outputs: " + joined(differences, "; "),
          remedy);
    }
    return pgb::Failure(begin + "the builder has no algorithm " + to_text(wanted) + " of " + path_ +
                            "; it offers " + joined(others, ", "),
                        remedy);
  }

  void warn_of_other_layers(const std::set<std::string>& built) const {
    std::vector<std::string> others;
    for (const auto& [layer, algorithm] : wanted_) {
      if (!built.contains(layer)) others.push_back("'" + layer + "'");
    }
    if (others.empty()) return;
    logger_.host().log(
        pgb::kWarning, kModule,
        others.size() == wanted_.size()
            ? "The network has no layer of " + path_ +
                  ", which belongs to another model: " + joined(others, ", ")
            : "The network lacks layers that are in " + path_ + ": " + joined(others, ", "));
  }

  // The first texts, separated by `between`.
  static std::string joined(const std::vector<std::string>& texts, const char* between) {
    constexpr size_t kMost = 10;
    std::string text;
    for (size_t i = 0; i < std::min(texts.size(), kMost); ++i)
      text += (i ? between : "") + texts[i];
    if (texts.size() > kMost)
      text += std::string(between) + "and " + std::to_string(texts.size() - kMost) + " more";
    return text;
  }

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
                      "The timing cache is disabled: its algorithms would bypass the selection of "
                      "tactics. --load-timing-cache enables it.");
    config.setFlag(nv::BuilderFlag::kDISABLE_TIMING_CACHE);
  }
  return selector;
}

#else

// make_config() already warned that the options have no effect here.
std::shared_ptr<TacticSelector> make_tactic_selector(nv::IBuilderConfig&, Logger&,
                                                     const pgb::Options&) {
  return nullptr;
}

#endif

}  // namespace tensorrt::TENSORRT_FAMILY
