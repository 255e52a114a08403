#include "polygraphy/comparison/run_job/grouped_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/memory/pages.h"
#include "base/os/process_memory.h"
#include "polygraphy/data/results/iteration_files.h"
#include "polygraphy/data/results/result_store.h"
#include "polygraphy/data/tensors/tensor_format.h"

namespace polygraphy {
namespace {

constexpr std::string_view kDescription = "inference results";

// Results of all groups in one file.
class GroupWriter {
 public:
  GroupWriter(std::string path, size_t outputs, Logger& log)
      : path_(std::move(path)), outputs_(outputs), log_(log) {}

  void begin_group() { iteration_ = 0; }
  void add(const std::vector<IterationResult>& results) {
    if (!writer_) {
      std::vector<std::string> names;
      for (const IterationResult& result : results) names.push_back(result.runner_name);
      announce_saving(log_, kDescription, path_, false);
      writer_ = std::make_unique<StoreWriter>(path_, std::move(names));
    }
    for (size_t i = 0; i < results.size(); ++i) {
      if (results[i].failed) continue;
      writer_->resume_result(i, iteration_, results[i].runtime, outputs_);
      for (const auto& [name, array] : results[i].outputs) writer_->add(name, array);
    }
    ++iteration_;
  }
  void finish() {
    if (!writer_) return;
    announce_file(log_, kDescription, path_);
    writer_->finish();
  }

 private:
  std::string path_;
  size_t outputs_;
  Logger& log_;
  std::unique_ptr<StoreWriter> writer_;
  size_t iteration_ = 0;
};

// The model with these outputs, and no node that they do not need: runtimes run others, too.
ModelSource part_of(ModelSource model, const std::vector<std::string>& outputs) {
  model.outputs = outputs;
  model.exclude_outputs.clear();
  model.outputs_by_type.clear();
  model.also_outputs.clear();
  model.tidy = true;
  return model;
}

}  // namespace

void check_groupable(const CompareOptions& options) {
  const auto refuse = [](const char* what, const std::string& why) {
    throw Error(kNotInGroups, fmt::format("{} does not support outputs in groups: {}", what, why),
                "Raise the memory limit, or select fewer outputs.");
  };
  if (!options.save_outputs.empty() && !is_store_target(options.save_outputs))
    refuse("Saving outputs", "JSON holds all outputs of an iteration together; binary files (" +
                                 names_of_binary_formats() + ") do not");
  if (!options.save_outputs.empty() && (!options.postprocess.empty() || options.postprocess_script))
    refuse("Saving outputs", "saved outputs are not post-processed");
  if (!options.save_accuracy_results.empty())
    refuse("Saving accuracy results", "the file holds all outputs of an iteration together");
  if (!options.load_outputs.empty()) refuse("Loading outputs", "files are not read in groups");
  if (options.sequential)
    refuse("Running one runner at a time", "it keeps the results of all iterations");
}

Verdict run_in_groups(OutputGroups& groups, const GroupedRun& how, const CompareOptions& options,
                      RunnerFactory& factory, Logger& log) {
  check_groupable(options);
  CompareOptions per_group = options;
  uint64_t others = 0;
  std::unique_ptr<GroupWriter> writer;
  if (!options.save_outputs.empty())
    writer = std::make_unique<GroupWriter>(options.save_outputs, groups.outputs(), log);
  per_group.save_outputs.clear();
  per_group.on_results = [&](const std::vector<IterationResult>& results) {
    for (const IterationResult& result : results) {
      for (const auto& [name, array] : result.outputs)
        groups.measured(name, static_cast<uint64_t>(array.nbytes()));
    }
    // The memory of child processes, while they run. Memory that they share with us counts when
    // this process maps it.
    const uint64_t all = peak_memory(), own = own_peak_memory();
    others = std::max(others, all - std::min(own, all));
    if (writer) writer->add(results);
    if (options.on_results) options.on_results(results);
  };
  std::optional<Verdict> verdict;
  size_t number = 0, failed = 0;
  for (auto names = groups.next(); !names.empty(); names = groups.next()) {
    log.start(log_modules::kComparator,
              fmt::format("Outputs {} to {} of {} | {}{}", groups.given() - names.size() + 1,
                          groups.given(), groups.outputs(), names.front(),
                          names.size() > 1 ? " … " + names.back() : ""));
    if (writer) writer->begin_group();
    reset_peak_memory();
    others = 0;
    {
      factory.close();  // runtimes let go of what they keep beside their sessions
      auto runners = factory.make_all(how.runners, part_of(how.model, names), log);
      const auto feeds = how.make_feeds();
      const Verdict group = run_and_compare(runners, *feeds, per_group, log);
      verdict = verdict ? joined(*verdict, group) : group;
      failed += group.failed() ? 1 : 0;
    }
    ++number;
    groups.adapt(others + own_peak_memory(), how.memory_limit);
    // Returns memory that the runtimes freed to the system, before the next ones allocate.
    return_freed_memory();
    per_group.save_inputs.clear();
    per_group.save_input_blobs.clear();
    if (failed > 0 && options.fail_fast) break;
  }
  if (writer) writer->finish();
  const Verdict all = verdict.value_or(Verdict{});
  log.log(all.acceptable() ? Severity::kFinish : Severity::kError, log_modules::kComparator,
          fmt::format("{} | {} of {} outputs in {} groups{}",
                      all.acceptable() ? "PASSED" : "FAILED", groups.given(), groups.outputs(),
                      number, failed > 0 ? fmt::format(", {} of which failed", failed) : ""));
  return all;
}

}  // namespace polygraphy
