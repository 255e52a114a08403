#include "polygraphy/runtimes/runner_factory/script_engines.h"

#include "base/fingerprint.h"
#include "polygraphy/runtimes/compiled/python_scripts.h"

namespace polygraphy {
namespace {

constexpr const char* kFile = "model.engine";

// Empty: the model is in memory, and may be another one by the next call.
std::string key_of(const EngineJob& job) {
  if (job.model.model) return {};
  const auto& [path, in_memory, format, data_dir, ignore_data, outputs, exclude, by_type, shapes,
               float16, also, tidy, inline_refused, tensorflow] = job.model;
  FingerprintBuilder key;
  key.add(job.runner.digest().text()).add(path).add(format).add(data_dir);
  for (const bool flag : {ignore_data, shapes, float16, tidy}) key.add(uint64_t{flag});
  for (const auto* list : {&outputs, &exclude, &by_type, &also}) {
    key.add(uint64_t{list->size()});
    for (const std::string& item : *list) key.add(item);
  }
  return key.value().text();
}

}  // namespace

std::optional<ModelSource> ScriptEngines::build(EngineJob& job, Logger& log) {
  if (!needs_python(job)) return std::nullopt;
  const std::string key = key_of(job);
  const Built* found = nullptr;
  for (const auto& built : built_) {
    if (!key.empty() && built->key == key) found = built.get();
  }
  if (!found) {
    std::unique_ptr<const Built> built(
        new Built{.key = key, .folder = ScratchFolder(temporary_folder() + "/.polygraphy-model-")});
    build_engine(job, built->folder / kFile, log);
    found = built_.emplace_back(std::move(built)).get();
  }
  job.runner.session.options = options_of_running(job.runner.session.options);
  job.runner.session.options.emplace_back("unnamed_engine", std::vector<std::string>());
  return ModelSource{.path = found->folder / kFile, .format = "engine"};
}

}  // namespace polygraphy
