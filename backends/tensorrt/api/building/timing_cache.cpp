#include "tensorrt/api/building/timing_cache.h"

#include <optional>
#include <string>
#include <utility>

#include "common/files.h"

namespace tensorrt::TENSORRT_FAMILY {

Owned<nv::ITimingCache> load_timing_cache(nv::IBuilderConfig& config, Logger& logger,
                                          const pgb::Options& options) {
  std::string bytes;
  if (const auto path = options.value("load_timing_cache")) {
    std::optional<std::string> read = pgb::read_file(*path);
    if (read) {
      const pgb::FileLock lock(*path);
      read = pgb::read_file(*path);
    }
    if (read) {
      logger.host().log(pgb::kInfo, kConfigModule, "Loading tactic timing cache from " + *path);
      bytes = std::move(*read);
    } else {
      logger.host().log(
          pgb::kWarning, kConfigModule,
          "Timing cache file " + *path + " not found, falling back to empty timing cache.");
    }
  }
  Owned<nv::ITimingCache> cache(config.createTimingCache(bytes.data(), bytes.size()));
  if (!cache) {
    const pgb::Failure reason =
        logger.failure("--load-timing-cache " + options.value("load_timing_cache").value_or("") +
                           " is not a timing cache of this TensorRT",
                       "Leave it out; --save-timing-cache writes a new one.");
    throw pgb::bad_option(reason.what(), reason.hint());
  }
  if (!config.setTimingCache(*cache, /*ignoreMismatch=*/true))
    throw logger.failure("TensorRT rejected the timing cache");
  return cache;
}

void save_timing_cache(nv::IBuilderConfig& config, Logger& logger, const pgb::Options& options) {
  const auto path = options.value("save_timing_cache");
  if (!path) return;
  const nv::ITimingCache* built = config.getTimingCache();
  if (!built) {
    logger.host().log(pgb::kWarning, kLoaderModule,
                      "No timing cache to save: the builder did not keep one.");
    return;
  }
  // A stream keeps no cache to load or share.
  const bool stream = pgb::is_stream(*path);
  std::optional<pgb::FileLock> lock;
  if (!stream) lock.emplace(*path);
  const std::optional<std::string> before = stream ? std::nullopt : pgb::read_file(*path);
  Owned<nv::ITimingCache> merged;
  if (before && !before->empty()) {
    logger.take_complaint();
    merged.reset(config.createTimingCache(before->data(), before->size()));
    // An unreadable file gives an empty cache and a log message.
    if (!merged || logger.take_complaint() || !merged->combine(*built, /*ignoreMismatch=*/true)) {
      logger.take_error();
      logger.host().log(pgb::kWarning, kLoaderModule,
                        "Not saving the timing cache: " + *path +
                            " is not empty, and not a timing cache that this TensorRT can read.");
      return;
    }
    logger.take_error();
  }
  const Owned<nv::IHostMemory> bytes((merged ? merged.get() : built)->serialize());
  if (!bytes) throw logger.failure("TensorRT cannot serialize the timing cache");
  logger.host().log(pgb::kInfo, kLoaderModule, "Saving tactic timing cache to " + *path);
  pgb::write_file_atomically(*path, bytes->data(), bytes->size());
}

}  // namespace tensorrt::TENSORRT_FAMILY
