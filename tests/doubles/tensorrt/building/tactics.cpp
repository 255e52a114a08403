#include "building/tactics.h"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "building/algorithms.h"
#include "failures.h"

namespace tensorrt_double {
namespace {

constexpr uint64_t kGood = 1, kBad = 2;

// How many builds there were before, by the file that PG_TENSORRT_DOUBLE_BUILDS names: builds of
// several processes count together. Without it: in this process.
uint64_t earlier_builds() {
  static std::atomic<uint64_t> in_process = 0;
  const char* file = std::getenv("PG_TENSORRT_DOUBLE_BUILDS");
  if (!file || !*file) return in_process++;
  std::error_code missing;
  const uint64_t size = std::filesystem::file_size(file, missing);
  std::ofstream(file, std::ios::app) << '.';
  return missing ? 0 : size;
}

}  // namespace

void choose_tactics(Plan& plan, const ConfigImpl& config) {
  const bool is_second = earlier_builds() % 2 == 1;
  const uint64_t chosen = is_second && shall_fail("nan-on-second-build") ? kBad : kGood;
  const bool misses_are_errors = config.flag("kERROR_ON_TIMING_CACHE_MISS");
  TimingCacheImpl* cache = config.timing_cache && !config.flag("kDISABLE_TIMING_CACHE")
                               ? &config.timing_cache->impl()
                               : nullptr;
  const auto selected = select_tactics(
      plan, config, chosen == kBad ? std::vector{kBad, kGood} : std::vector{kGood, kBad});
  size_t at = 0;
  for (const PlanLayer& layer : plan.layers) {
    const auto known = cache ? cache->tactics.find(layer.name + "/" + layer.precision)
                             : decltype(cache->tactics.end()){};
    uint64_t tactic = selected ? (*selected)[at++] : chosen;
    if (cache && known != cache->tactics.end()) {
      tactic = known->second;
    } else if (misses_are_errors) {
      throw Refusal(
          10, "Internal Error",
          fmt::format("Timing cache miss for node {}, and misses are errors.", layer.name));
    } else if (cache) {
      cache->tactics[layer.name + "/" + layer.precision] = tactic;
    }
    plan.has_nan |= tactic == kBad;
  }
}

}  // namespace tensorrt_double
