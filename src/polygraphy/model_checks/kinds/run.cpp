// `--check-run onnxrt openvino`: the engines' outputs differ, or one of them fails.
#include "base/arrays/py_repr.h"
#include "polygraphy/compare/pairing.h"
#include "polygraphy/model_checks/engines.h"
#include "polygraphy/model_checks/model_check.h"

namespace polygraphy {
namespace {

std::string of_sample(int64_t sample) {
  return " (sample " + std::to_string(sample) + ")";
}

class RunCheck : public Check {
 public:
  RunCheck(const ModelCheckOptions& options, const CheckTools& tools, Logger& log)
      : engines_(options.engines, tools, log),
        tolerance_(find_metric("simple")->make(options.tolerances)),
        log_(log) {}

  Verdict run(const std::string& artifact) override {
    const auto judge = [this](int64_t sample, const TensorMap&,
                              const std::vector<TensorMap>& outputs) {
      std::optional<ModelFailure> failure;
      for (size_t i = 1; i < outputs.size() && !failure; ++i) failure = compare(sample, outputs, i);
      return failure;
    };
    return verdict_of(engines_.run(artifact, judge), log_);
  }

 private:
  // The first engine's outputs with those of another.
  std::optional<ModelFailure> compare(int64_t sample, const std::vector<TensorMap>& outputs,
                                      size_t other) {
    const std::string &name0 = engines_.names()[0], &name1 = engines_.names()[other];
    const auto between = name0 + " and " + name1;
    OutputPairing pairing(outputs[0], outputs[other]);
    for (size_t i = 0; const auto& [name, values] : outputs[0]) {
      const auto partner = pairing.partner(i++, name1, quiet_);
      if (!partner) {
        return ModelFailure{
            name1 + " has no output '" + name + "', which " + name0 + " has" + of_sample(sample),
            "an output is missing"};
      }
      const Array& expected = *outputs[other].find(std::string(partner->name));
      const OutputPair pair{name, partner->name, name0, name1, values, expected};
      const OutputResult result = tolerance_->compare(pair, quiet_);
      if (result.passed) continue;
      if (values.shape() != expected.shape()) {
        return ModelFailure{between + " differ in the shape of output '" + name +
                                "': " + py_tuple_repr(values.shape()) + " and " +
                                py_tuple_repr(expected.shape()) + of_sample(sample),
                            "output shapes differ"};
      }
      std::string message = between + " differ in output '" + name + "'" + of_sample(sample);
      if (result.figures.size() > 1 && result.figures[0] && result.figures[1]) {
        message += ": greatest absolute difference " + format_g(*result.figures[0], 5) +
                   ", greatest relative difference " + format_g(*result.figures[1], 5);
      }
      return ModelFailure{std::move(message), "outputs differ"};
    }
    return std::nullopt;
  }

  CheckedEngines engines_;
  std::unique_ptr<MetricFunction> tolerance_;
  Logger& log_;
  Logger quiet_;  // what the comparison has to say of each output
};

std::unique_ptr<Check> make(const ModelCheckOptions& options, const CheckTools& tools,
                            Logger& log) {
  return std::make_unique<RunCheck>(options, tools, log);
}

}  // namespace

extern const ModelCheck model_check_run;
constinit const ModelCheck model_check_run = {
    .name = "run",
    .summary =
        "An iteration fails when the outputs of these engines differ by more than --atol "
        "and --rtol allow, or when one of them fails.",
    .least_engines = 2,
    .most_engines = 8,
    .make = make,
};

}  // namespace polygraphy
