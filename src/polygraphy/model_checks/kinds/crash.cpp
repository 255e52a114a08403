// `--check-crash onnxrt`: the engine refuses the candidate, cannot run it, crashes or hangs.
#include "polygraphy/model_checks/engines.h"
#include "polygraphy/model_checks/model_check.h"

namespace polygraphy {
namespace {

class CrashCheck : public Check {
 public:
  CrashCheck(const ModelCheckOptions& options, const CheckTools& tools, Logger& log)
      : engines_(options.engines, tools, log), log_(log) {}

  Verdict run(const std::string& artifact) override {
    return verdict_of(engines_.run(artifact, [](auto&&...) { return std::nullopt; }), log_);
  }

 private:
  CheckedEngines engines_;
  Logger& log_;
};

std::unique_ptr<Check> make(const ModelCheckOptions& options, const CheckTools& tools,
                            Logger& log) {
  return std::make_unique<CrashCheck>(options, tools, log);
}

}  // namespace

extern const ModelCheck model_check_crash;
constinit const ModelCheck model_check_crash = {
    .name = "crash",
    .summary =
        "An iteration fails when this engine refuses the model, cannot run it, crashes or "
        "hangs. Default: onnxrt.",
    .most_engines = 1,
    .usual_engine = "onnxrt",
    .make = make,
};

}  // namespace polygraphy
