// `--compare meta_probe`: the numbers of elements agree, or the shapes do.
#include "polygraphy/comparison/compare/metric.h"
#include "base/log_modules.h"
#include "polygraphy/comparison/compare/metrics/shared/per_output.h"

namespace polygraphy {
namespace {

constexpr MetricOption kOptions[] = {
    {.name = "meta_probe_by",
     .flags = "--meta-probe-by",
     .type = MetricOption::Type::kText,
     .metavar = "[OUTPUT:]WHAT",
     .help = "meta_probe: what has to agree. Default: size.",
     .choices = "size shape"},
    {.name = "meta_probe_slack",
     .flags = "--meta-probe-slack",
     .type = MetricOption::Type::kInteger,
     .metavar = "[OUTPUT:]ELEMENTS",
     .help = "meta_probe: maximum number of missing elements. Default: 0.",
     .least = 0},
};

class MetaProbe : public MetricFunction {
 public:
  explicit MetaProbe(const MetricOptions& options) : options_(options) {}

  OutputResult compare(const OutputPair& pair, Logger& log) override {
    const std::string output(pair.name0);
    const std::string by =
        value_for(options_.texts_of("meta_probe_by"), output, std::string("size"));
    const GivenNumber slack =
        value_for(options_.numbers_of("meta_probe_slack"), output, GivenNumber(0));
    OutputResult result;
    result.passed = by == "size"
                        ? pair.a.size() <= pair.b.size() + static_cast<int64_t>(slack.value)
                        : pair.a.shape() == pair.b.shape();
    log.info(log_modules::kCompare, "Probed by " + by + " with a slack of " + slack.repr());
    return result;
  }

 private:
  MetricOptions options_;
};

std::unique_ptr<MetricFunction> make(const MetricOptions& options) {
  return std::make_unique<MetaProbe>(options);
}

}  // namespace

extern constinit const Metric metric_meta_probe = {
    .name = "meta_probe",
    .label = "Meta Probe",
    .summary = "whether outputs are of one size",
    .order = 99,
    .make = make,
    .options = kOptions,
};

}  // namespace polygraphy
