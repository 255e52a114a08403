#include "polygraphy/comparison/run/run_files.h"

#include <exception>

#include "base/log_modules.h"
#include "polygraphy/comparison/run/result_stream.h"
#include "polygraphy/data/results/iteration_files.h"

namespace polygraphy {
namespace {

void save_all_inputs(const std::vector<ArrayMap>& feeds, const std::string& path, Logger& log) {
  InputWriter writer(path, log);
  for (const ArrayMap& feed : feeds) writer.add(feed);
  writer.finish();
}

void save_all_outputs(const RunResults& results, const std::string& path, Logger& log) {
  if (!is_directory_target(path)) {
    save_results(results, path, log);
    return;
  }
  std::vector<std::string> names;
  for (const auto& [name, iterations] : results.runners) names.push_back(name);
  OutputWriter writer(path, std::move(names), log);
  const auto stream = stored_results(results);
  while (const auto iteration = stream->next()) writer.add_iteration(*iteration);
  writer.finish();
}

void warn_of_no_outputs(const std::string& path, Logger& log) {
  log.warning(log_modules::kRun,
              "No runner computed outputs: not saving inference results to " + path);
}

}  // namespace

RunFiles::RunFiles(const RunOptions& options, const Runners& runners, Logger& log)
    : log_(log), outputs_path_(options.save_outputs) {
  if (!options.save_inputs.empty())
    inputs_ = std::make_unique<InputWriter>(options.save_inputs, log);
  if (!options.save_outputs.empty()) {
    std::vector<std::string> names;
    for (const auto& runner : runners) names.push_back(runner->name());
    outputs_ = std::make_unique<OutputWriter>(options.save_outputs, std::move(names), log);
  }
  if (!options.save_input_blobs.empty())
    blobs_ = std::make_unique<InputBlobWriter>(options.save_input_blobs, log);
}

void RunFiles::add_inputs(const ArrayMap& feed) {
  has_inputs_ = true;
  if (inputs_) inputs_->add(feed);
  if (blobs_) blobs_->add(feed);
}

void RunFiles::add_outputs(const std::vector<IterationResult>& one_per_runner) {
  for (const IterationResult& result : one_per_runner) outcomes_.add(result);
  if (outputs_) outputs_->add_iteration(one_per_runner);
}

void RunFiles::finish(bool failed) {
  std::exception_ptr failure;
  // An empty file would replace the inputs of an earlier run.
  if (failed && !has_inputs_) inputs_.reset();
  try {
    if (inputs_) inputs_->finish();
  } catch (...) {
    failure = std::current_exception();
  }
  outcomes_.failed |= failed;
  if (outputs_ && outcomes_.nothing_but_failures()) {
    outputs_.reset();
    warn_of_no_outputs(outputs_path_, log_);
  }
  if (outputs_) outputs_->finish();
  if (failure) std::rethrow_exception(failure);
}

void save_run(const RunOptions& options, const std::vector<ArrayMap>& feeds,
              const RunResults& results, Logger& log) {
  if (!options.save_inputs.empty()) save_all_inputs(feeds, options.save_inputs, log);
  if (!options.save_input_blobs.empty()) {
    InputBlobWriter blobs(options.save_input_blobs, log);
    for (const ArrayMap& feed : feeds) blobs.add(feed);
  }
  if (options.save_outputs.empty()) return;
  Outcomes outcomes;
  for (const auto& [name, iterations] : results.runners) {
    for (const IterationResult& result : iterations) outcomes.add(result);
  }
  if (outcomes.nothing_but_failures()) return warn_of_no_outputs(options.save_outputs, log);
  save_all_outputs(results, options.save_outputs, log);
}

}  // namespace polygraphy
