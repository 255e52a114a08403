// The model that the engine saved, loaded again.
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "polygraphy/diagnosis/consistency/consistency_check.h"

namespace polygraphy {
namespace {

bool is_empty(const std::string& folder) {
  std::error_code ignored;
  return std::filesystem::is_empty(folder, ignored);
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

void saved_file(const CheckSubject& subject) {
  EngineRuns& runs = subject.runs();
  const EngineSwitches& switches = runs.switches();
  subject.compare(
      "saved by the engine and loaded again", [&](WorstDifference& difference, ConsistencyRow&) {
        const ModelSource saved{.path = runs.folder() + "/saved." + switches.saved_format,
                                .format = switches.saved_format};
        const std::vector<ArrayMap> made = runs.run({.options = {{switches.save, {saved.path}}}});
        if (!exists(saved.path)) throw RunnerFailure("it saved no file");
        EngineVariation again;
        // It is optimised already.
        if (saved.format == kOnnxFormat && !switches.levels.empty())
          again.options = {{switches.level, {switches.levels.front()}}};
        difference.compare(made, runs.run(again, saved));
      });
}

void cached(const CheckSubject& subject) {
  EngineRuns& runs = subject.runs();
  const std::string folder = runs.folder() + "/cache";
  std::error_code error;
  std::filesystem::create_directory(folder, error);
  if (error)
    throw IoError("cannot create the folder '" + folder + "' for a cache: " + error.message());
  const EngineVariation in_cache{.options = {{runs.switches().cache, {folder}}}};
  subject.compare("compiled against loaded from the cache",
                  [&](WorstDifference& difference, ConsistencyRow&) {
                    const std::vector<ArrayMap> made = runs.run(in_cache);
                    if (is_empty(folder)) throw RunnerFailure("it wrote no file to its cache");
                    difference.compare(made, runs.run(in_cache));
                  });
}

void run_check(const CheckSubject& subject) {
  const EngineSwitches& switches = subject.runs().switches();
  if (switches.save.empty() && switches.cache.empty())
    return subject.not_applicable("the engine has no option for saving the compiled model");
  if (!switches.save.empty()) saved_file(subject);
  if (!switches.cache.empty()) cached(subject);
}

}  // namespace

extern constinit const ConsistencyCheck consistency_check_reload = {
    .name = "reload",
    .summary = "saved by the engine and loaded again",
    .order = 7,
    .run = run_check};

}  // namespace polygraphy
