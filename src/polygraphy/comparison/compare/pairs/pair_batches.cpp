#include "polygraphy/comparison/compare/pairs/pair_batches.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "base/thread_pool.h"

namespace polygraphy {
namespace {

// Enough for all cores; few enough that the log shows progress. The first batch is one pair for
// each core, and the next ones double: a run may end with the first failure.
constexpr size_t kLargestBatch = 64;

std::string described(std::string_view name, const Array& array) {
  return fmt::format("'{}' (dtype={}, shape={})", name, name_of(array.dtype()),
                     py_tuple_repr(array.shape()));
}

}  // namespace

// An output of the first result.
struct PairBatches::Output {
  std::optional<MessageKeeper> messages;  // nullopt: they are logged at once
  std::optional<ComparedPair> pair;       // nullopt: it has no partner
  OutputResult result;
  std::exception_ptr error;  // instead of a result
};

PairBatches::PairBatches(const Metric& metric, MetricFunction& function,
                         const IterationResult& result0, const IterationResult& result1,
                         unsigned wanted_sums, Logger& log)
    : metric_(metric),
      function_(function),
      result0_(result0),
      result1_(result1),
      wanted_sums_(wanted_sums),
      log_(log),
      pairing_(result0.outputs, result1.outputs),
      phase_("comparing output", static_cast<int64_t>(result0.outputs.size())) {}

PairBatches::~PairBatches() = default;

std::optional<OutputResult> PairBatches::next(std::vector<ComparedPair>& pairs) {
  for (;;) {
    if (batch_.empty()) {
      if (paired_ == result0_.outputs.size()) return std::nullopt;
      judge_batch(pairs);
    }
    Output& output = batch_.front();
    if (output.messages) log_kept(output.messages->take(), log_);
    if (output.error) std::rethrow_exception(output.error);
    std::optional<OutputResult> result;
    if (output.pair) {
      if (returned_ == pairs.size()) {
        pairs.push_back(std::move(*output.pair));
        pairs.back().left = output.result.left;
      }
      ++returned_;
      result = std::move(output.result);
    }
    batch_.pop_front();
    if (result) return result;
  }
}

// Arrays that are read on demand may be too large to be in memory together, and their files have
// one reader.
size_t PairBatches::batch_size() const {
  const bool in_memory = !result0_.read && !result1_.read;
  if (!in_memory || parallelism() == 1 || !function_.concurrent()) return 1;
  return std::min(kLargestBatch, std::max<size_t>(parallelism(), 2 * last_size_));
}

void PairBatches::judge_batch(std::vector<ComparedPair>& pairs) {
  const size_t size = std::min(batch_size(), result0_.outputs.size() - paired_);
  last_size_ = size;
  const bool silent = !log_.enabled(Severity::kCritical, log_modules::kCompare);
  const auto thresholds =
      silent ? MessageKeeper::Thresholds{{"", Severity::kCritical}} : log_.thresholds();
  const auto log_of = [&](Output& output) -> Logger& {
    return output.messages ? output.messages->log() : log_;
  };
  std::vector<Output*> paired;
  for (size_t end = paired_ + size; paired_ < end; ++paired_) {
    Output& output = batch_.emplace_back();
    if (size > 1) output.messages.emplace(thresholds);
    const auto partner = pairing_.partner(paired_, result1_.runner_name, log_of(output));
    if (!partner) continue;
    output.pair = {result0_.outputs.at_index(paired_).first, partner->name, paired_,
                   partner->place};
    output.pair->statistics.wanted_sums = wanted_sums_;
    paired.push_back(&output);
  }
  parallel_for(static_cast<int64_t>(paired.size()), 1, [&](int64_t begin, int64_t) {
    const auto i = static_cast<size_t>(begin);
    Output& output = *paired[i];
    const bool known = returned_ + i < pairs.size();
    try {
      judge(output, known ? pairs[returned_ + i].statistics : output.pair->statistics,
            log_of(output));
    } catch (...) {
      output.error = std::current_exception();
    }
  });
  phase_.at(static_cast<int64_t>(paired_));
}

void PairBatches::judge(Output& output, PairStatistics& statistics, Logger& log) {
  const ComparedPair& pair = *output.pair;
  if (!function_.judges(pair.name0)) {
    output.result.metric = &metric_;
    log.verbose(log_modules::kCompare,
                fmt::format("{} | Not compared: {}", metric_.label, py_str_repr(pair.name0)));
    output.result.left = output.result.passed = true;
    return;
  }
  const Array a = result0_.output(pair.place0), b = result1_.output(pair.place1);
  log.start(log_modules::kCompare, fmt::format("{} | Comparing Output: {} with {}", metric_.label,
                                               described(pair.name0, a), described(pair.name1, b)));
  const Logger::Indent deeper(log);
  const OutputPair judged{.name0 = pair.name0,
                          .name1 = pair.name1,
                          .runner0 = result0_.runner_name,
                          .runner1 = result1_.runner_name,
                          .a = a,
                          .b = b,
                          .statistics = &statistics,
                          .reference_is_second = reference_is_second(result0_, result1_)};
  output.result = function_.compare(judged, log);
  output.result.metric = &metric_;
  output.result.empty = a.size() == 0 && b.size() == 0;
  if (!output.result.passed && output.result.reason.empty() && a.shape() != b.shape())
    output.result.reason = fmt::format("'{}' has shapes {} and {}", pair.name0,
                                       py_tuple_repr(a.shape()), py_tuple_repr(b.shape()));
}

}  // namespace polygraphy
