#include "polygraphy/comparison/run_job/merge_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/log_modules.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "polygraphy/comparison/compare/compared_iterations.h"
#include "polygraphy/comparison/verdict/join_versions.h"

namespace polygraphy {
namespace {

using log_modules::kComparator;

constexpr size_t kMostNamed = 10;
constexpr int64_t kPiece = 64;  // tasks that a thread merges at a time

std::string numbers_of_failed(const PairRecord& pair) {
  std::string text;
  size_t failed = 0;
  for (size_t i = 0; i < pair.samples.size(); ++i) {
    if (pair.samples[i].passed()) continue;
    if (++failed <= kMostNamed) text += fmt::format("{}{}", text.empty() ? "" : ", ", i);
  }
  return text + and_more(failed, kMostNamed, " ");
}

void append_part(std::optional<MergedRun>& whole, MergedRun part) {
  if (!whole) {
    whole = std::move(part);
    return;
  }
  append(whole->record, std::move(part.record));
  append(whole->accuracy, std::move(part.accuracy));
}

}  // namespace

MergedRun merged_run(const TaskPlan& plan, const TaskFolder& folder, bool with_accuracy) {
  std::vector<std::optional<MergedRun>> pieces(
      static_cast<size_t>((plan.size() + kPiece - 1) / kPiece));
  parallel_for(plan.size(), kPiece, [&](int64_t begin, int64_t end) {
    auto& piece = pieces[static_cast<size_t>(begin / kPiece)];
    OrderedMap<std::string> versions = plan.job().versions;
    for (int64_t i = begin; i < end; ++i) {
      const std::string id = plan.id(i), path = folder.result_path(id);
      for (const std::string& document : folder.read_result(id)) {
        MergedRun part{.record = parse_run_record(document, path)};
        join_versions(versions, part.record.versions, path);
        const std::string accuracy = std::exchange(part.record.accuracy, {});
        if (with_accuracy) part.accuracy = parse_accuracy_results(accuracy, path);
        append_part(piece, std::move(part));
      }
    }
  });
  std::optional<MergedRun> whole;
  for (auto& piece : pieces) append_part(whole, std::move(*piece));
  return std::move(*whole);
}

void summarize(const RunRecord& record, Logger& log) {
  for (const PairRecord& pair : record.pairs) {
    const auto total = static_cast<int64_t>(pair.samples.size());
    const int64_t passed = std::ranges::count_if(pair.samples, &JudgedSample::passed);
    log_pass_rate(pair.reference, pair.target, passed, total, log);
    if (passed < total) log.error(kComparator, "Failed samples: " + numbers_of_failed(pair));
  }
  for (const std::string& failure : record.failed)
    log.error(kComparator, "Failed runner: " + failure);
}

}  // namespace polygraphy
