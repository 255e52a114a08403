#include "locate_bench.h"

#include <utility>

namespace polygraphy {
namespace {

class Given : public FeedSource {
 public:
  explicit Given(const std::vector<ArrayMap>& samples) : samples_(samples) {}
  std::optional<ValueMap> next(const Metadata&) override {
    if (at_ == samples_.size()) return std::nullopt;
    return values_of(samples_[at_++]);
  }

 private:
  const std::vector<ArrayMap>& samples_;
  size_t at_ = 0;
};

}  // namespace

LocateJob faulty_job(const graphsurgeon::Model& model, const std::vector<ArrayMap>& samples,
                     std::vector<Fault> faults, std::optional<NumberFormat> format) {
  LocateJob job;
  job.model.model = &model;
  job.model.path = "network";
  const auto exact = [](const ModelSource& source) { return faulty_engine(source, {}, {}); };
  job.reference = {.name = "reference", .make_runner = exact};
  job.target = {.name = "target",
                .make_runner = [faults = std::move(faults), format](const ModelSource& source) {
                  return faulty_engine(source, faults, format);
                }};
  job.make_noise_runner = exact;
  job.make_feeds = [&samples] { return std::make_unique<Given>(samples); };
  job.format = format.value_or(NumberFormat::kFloat32);
  return job;
}

std::vector<std::string> first_verdicts(const LocateResult& result, size_t count) {
  std::vector<std::string> verdicts;
  for (const NodeFinding& finding : result.nodes) {
    if (verdicts.size() == count) break;
    verdicts.push_back(std::string(name_of(finding.verdict)) + ": " + finding.node);
  }
  return verdicts;
}

}  // namespace polygraphy
