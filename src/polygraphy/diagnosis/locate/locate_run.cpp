#include "polygraphy/diagnosis/locate/locate_run.h"

#include "base/log_modules.h"

namespace polygraphy {
namespace {

// Both sides run the same model, so their runners are completed together.
LocateJob completed(LocateJob job, RunnerFactory& factory) {
  std::vector<RunnerSpec*> places;
  std::vector<RunnerSpec> specs;
  for (LocateSide* side : {&job.reference, &job.target}) {
    if (auto* spec = std::get_if<RunnerSpec>(side)) {
      places.push_back(spec);
      specs.push_back(factory.isolated(*spec));
    }
  }
  specs = factory.complete(std::move(specs));
  for (size_t i = 0; i < places.size(); ++i) *places[i] = std::move(specs[i]);
  if (job.noise.name.empty()) job.noise.name = "noise";
  job.noise = factory.isolated(std::move(job.noise));
  return job;
}

bool uses(const LocateSide& side, const std::string& backend) {
  const auto* spec = std::get_if<RunnerSpec>(&side);
  return spec && spec->backend == backend;
}

bool reads_links(const LocateSide& side, RunnerFactory& factory) {
  const auto* spec = std::get_if<RunnerSpec>(&side);
  return !spec || factory.reads_links(*spec);
}

}  // namespace

LocateRun::LocateRun(const LocateJob& asked, RunnerFactory& factory, Logger& log)
    : job(completed(asked, factory)),
      target_format(job.format),
      reference(maker_of(job.reference, factory)),
      target(maker_of(job.target, factory)),
      noise{factory, job.noise, quiet_},
      noise_is_target(uses(job.target, job.noise.backend)),
      placement(reads_links(job.reference, factory) && reads_links(job.target, factory)
                    ? DataPlacement::kLinks
                    : DataPlacement::kCopies),
      processes_(job.memory_limit == 0 ? factory.keep_processes() : nullptr) {
  show_as_verbose(quiet_, log, log_modules::kLocate);
  // An unknown name is an error, too, where nothing differs, so that no noise is evaluated.
  if (job.noise.backend != bundled_runner_spec().backend) factory.switches(job.noise);
}

std::optional<RunnerMaker> LocateRun::maker_of(const LocateSide& side, RunnerFactory& factory) {
  const auto* spec = std::get_if<RunnerSpec>(&side);
  if (!spec) return std::nullopt;
  return RunnerMaker{factory, *spec, quiet_};
}

bool LocateRun::fit(const WholeModel& model, const std::vector<std::string>& tensors,
                    const ValueMap& feed, size_t samples) const {
  constexpr uint64_t kUnknown = 1 << 20;
  uint64_t bytes = 0;
  for (const uint64_t size : model.bytes_of(tensors, feed, kUnknown)) bytes += size;
  return bytes * samples <= tensor_bytes();
}

bool is_same_runner(const LocateSide& a, const LocateSide& b) {
  const auto* one = std::get_if<RunnerSpec>(&a);
  const auto* other = std::get_if<RunnerSpec>(&b);
  return one && other && one->digest() == other->digest();
}

std::optional<ArrayMap> saved_tensors(const SavedSide& side, int64_t sample) {
  const auto& iterations = side.results->runners[side.runner].second;
  if (static_cast<size_t>(sample) >= iterations.size()) return std::nullopt;
  const IterationResult& iteration = iterations[static_cast<size_t>(sample)];
  ArrayMap arrays;
  for (size_t i = 0; i < iteration.outputs.size(); ++i)
    arrays.set(iteration.outputs.at_index(i).first, iteration.output(i));
  return arrays;
}

}  // namespace polygraphy
