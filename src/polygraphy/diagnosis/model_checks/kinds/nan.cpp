// `--check-nan`: finite inputs lead to NaNs or infinities.
#include "base/log_modules.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/model_visitor.h"
#include "numerics/non_finite.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/diagnosis/model_checks/checked_backends.h"
#include "polygraphy/diagnosis/model_checks/model_check.h"

namespace polygraphy {
namespace {

bool any_non_finite(const ValueMap& values) {
  bool found = false;
  for (const auto& [name, value] : values) {
    value.for_each_array([&](const Array& array) { found = found || bool(non_finite(array)); });
  }
  return found;
}

struct NonFiniteArray {
  std::string name;
  NonFinite holds;
};

// The first of them that `counts`. Outputs are looked at one by one: two of them may spell the name
// of an array alike.
template <typename Counts>
std::optional<NonFiniteArray> find_non_finite(const ValueMap& outputs, Counts counts) {
  for (const auto& [output, value] : outputs) {
    for (const auto& [name, array] : flatten({{output, value}})) {
      const NonFinite holds = non_finite(array);
      if (holds && counts(holds)) return NonFiniteArray{name, holds};
    }
  }
  return std::nullopt;
}

// Masks are made of infinities.
bool has_infinite_constants(const std::string& path) {
  const graphsurgeon::Model model = graphsurgeon::load_model(path);
  bool found = false;
  graphsurgeon::for_each_payload(model, [&](const graphsurgeon::PayloadUse& use) {
    if (!found && kind_of(use.values->dtype()) == Kind::kFloat) {
      found = non_finite(use.values->load(use.name)).infinity;
    }
  });
  return found;
}

class NanCheck : public Check {
 public:
  NanCheck(const ModelCheckOptions& options, const CheckTools& tools, Logger& log)
      : backends_(options, tools, log), log_(log) {}

  CheckResult run(const std::string& artifact) override {
    std::optional<bool> masks;
    const auto counts = [&](const NonFinite& holds) {
      if (holds.nan) return true;
      if (!masks) masks = has_infinite_constants(artifact);
      return !*masks;
    };
    const auto judge = [&](int64_t sample, const ValueMap& feed,
                           const std::vector<ValueMap>& outputs) -> std::optional<ModelFailure> {
      const auto found = find_non_finite(outputs[0], counts);
      if (!found || any_non_finite(feed)) return std::nullopt;  // the inputs have them already
      const auto [nan, infinity] = found->holds;
      return ModelFailure{"Output '" + found->name + "' holds " +
                              (nan && infinity ? "NaNs and infinities"
                               : nan           ? "NaNs"
                                               : "infinities") +
                              ", but the inputs do not (sample " + std::to_string(sample) + ")",
                          "NaN or infinity", false, found->name};
    };
    std::optional<ModelFailure> failure = backends_.run(artifact, judge);
    if (failure && failure->by_backend) {
      log_.warning(log_modules::kIterativeDebug,
                   "This candidate cannot be run, and counts as passed: " + failure->message);
      failure.reset();
    }
    return verdict_of(failure, log_);
  }

 private:
  CheckedBackends backends_;
  Logger& log_;
};

std::unique_ptr<Check> make_check(const ModelCheckOptions& options, const CheckTools& tools,
                                  Logger& log) {
  return std::make_unique<NanCheck>(options, tools, log);
}

}  // namespace

extern constinit const ModelCheck model_check_nan = {
    .name = "nan",
    .summary =
        "Fail an iteration if an output holds NaNs or infinities although the inputs are finite. "
        "Infinities do not count if constants of the model, such as masks, hold some. Default: "
        "onnxrt.",
    .most_backends = 1,
    .usual_backend = "onnxrt",
    .make = make_check,
};

}  // namespace polygraphy
