// Sources of feeds: the data loader, files of earlier runs, scripts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/log.h"
#include "polygraphy/data/inputs/data_loader.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

// Feeds, one per iteration. `inputs` is the metadata of the current runner; a generator needs it, a
// reader of saved inputs does not. next() returns nullopt after the last.
class FeedSource {
 public:
  virtual ~FeedSource() = default;
  virtual std::optional<ValueMap> next(const Metadata& inputs) = 0;
  // The origin of the last feed, for messages: a file, a function of a script. Empty: not known.
  virtual std::string place() const { return {}; }
  // The estimated total number of feeds; nullopt: not known yet.
  virtual std::optional<int64_t> total() const { return std::nullopt; }
  virtual bool generates() const { return false; }  // true if again() works
  // Names with user-given shapes that matched no input so far.
  virtual std::vector<std::string> unmatched_shapes() const { return {}; }
  // Generates the feed of an earlier iteration again for other inputs; nullopt if generates() is
  // false.
  virtual std::optional<ValueMap> again(int64_t iteration, const Metadata& inputs) {
    static_cast<void>(iteration), static_cast<void>(inputs);
    return std::nullopt;
  }
};
std::unique_ptr<FeedSource> generated_feeds(DataLoaderOptions options, Logger& log);
std::unique_ptr<FeedSource> saved_feeds(std::vector<std::string> paths, Logger& log);
// Of feeds in memory, which outlive the source.
std::unique_ptr<FeedSource> given_feeds(std::span<const ValueMap> feeds);

}  // namespace polygraphy
