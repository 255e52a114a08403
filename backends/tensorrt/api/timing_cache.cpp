#include "tensorrt/api/timing_cache.h"

#include <optional>
#include <string>

#include "common/files.h"

namespace tensorrt::TENSORRT_FAMILY {

Owned<nv::ITimingCache> load_timing_cache(nv::IBuilderConfig& config, Logger& logger,
                                          const pgb::Options& options) {
  std::string bytes;
  if (const auto path = options.value("load_timing_cache")) {
    const pgb::FileLock lock(*path);
    if (const auto read = pgb::read_file(*path)) {
      bytes = *read;
    } else {
      logger.host().log(
          pgb::kWarning, kConfigModule,
          "Timing cache file " + *path + " not found, falling back to empty timing cache.");
    }
  }
  Owned<nv::ITimingCache> cache(config.createTimingCache(bytes.data(), bytes.size()));
  if (!cache) {
    throw logger.failure("--load-timing-cache " + options.value("load_timing_cache").value_or("") +
                             " is no timing cache of this TensorRT",
                         "Leave it out; --save-timing-cache makes a new one.");
  }
  config.setTimingCache(*cache, /*ignoreMismatch=*/true);
  return cache;
}

void save_timing_cache(nv::IBuilderConfig& config, Logger& logger, const pgb::Options& options) {
  const auto path = options.value("save_timing_cache");
  if (!path) return;
  const nv::ITimingCache* built = config.getTimingCache();
  if (!built) {
    logger.host().log(pgb::kWarning, kLoaderModule,
                      "There is no timing cache to save: the builder kept none.");
    return;
  }
  const pgb::FileLock lock(*path);
  Owned<nv::ITimingCache> merged;
  if (const auto before = pgb::read_file(*path); before && !before->empty()) {
    merged.reset(config.createTimingCache(before->data(), before->size()));
    if (merged && !merged->combine(*built, /*ignoreMismatch=*/true)) merged.reset();
    logger.take_error();
  }
  const Owned<nv::IHostMemory> bytes((merged ? merged.get() : built)->serialize());
  if (!bytes) throw logger.failure("The timing cache cannot be saved");
  pgb::write_file_atomically(*path, bytes->data(), bytes->size());
}

}  // namespace tensorrt::TENSORRT_FAMILY
