// `--check-crash onnxrt`: the back end refuses the candidate, cannot run it, crashes or hangs.
#include "polygraphy/diagnosis/model_checks/checked_backends.h"
#include "polygraphy/diagnosis/model_checks/model_check.h"

namespace polygraphy {
namespace {

class CrashCheck : public Check {
 public:
  CrashCheck(const ModelCheckOptions& options, const CheckTools& tools, Logger& log)
      : backends_(options, tools, log), log_(log) {}

  CheckResult run(const std::string& artifact) override {
    return verdict_of(backends_.run(artifact, [](auto&&...) { return std::nullopt; }), log_);
  }

 private:
  CheckedBackends backends_;
  Logger& log_;
};

std::unique_ptr<Check> make_check(const ModelCheckOptions& options, const CheckTools& tools,
                                  Logger& log) {
  return std::make_unique<CrashCheck>(options, tools, log);
}

}  // namespace

extern constinit const ModelCheck model_check_crash = {
    .name = "crash",
    .summary =
        "Fail an iteration if this runtime rejects the model, cannot run it, crashes or hangs. "
        "Default: onnxrt.",
    .most_backends = 1,
    .usual_backend = "onnxrt",
    .make = make_check,
};

}  // namespace polygraphy
