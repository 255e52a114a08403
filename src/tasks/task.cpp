#include "tasks/task.h"

namespace polygraphy {
namespace {

void add(const std::vector<std::string>& words, FingerprintBuilder& builder) {
  builder.add(words.size());
  for (const std::string& word : words) builder.add(word);
}

void add(const std::vector<TaskInput>& inputs, FingerprintBuilder& builder) {
  builder.add(inputs.size());
  for (const TaskInput& input : inputs) {
    builder.add(input.digest.high).add(input.digest.low);
    if (!input.beside.empty()) add(input.beside, builder);
  }
}

}  // namespace

Fingerprint digest_of(const TaskJob& job) {
  FingerprintBuilder builder;
  builder.add("polygraphy task 1").add(job.result_option).add(job.unit);
  add(job.argv, builder);
  add(job.inputs, builder);
  builder.add(job.versions.size());
  for (const auto& [engine, version] : job.versions) builder.add(engine).add(version);
  return builder.value();
}

Fingerprint digest_of(const Fingerprint& job, const Task& task) {
  FingerprintBuilder builder;
  builder.add(job.high).add(job.low);
  add(task.argv, builder);
  add(task.inputs, builder);
  return builder.value();
}

}  // namespace polygraphy
