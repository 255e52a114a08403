// Where feeds come from: the data loader, files of earlier runs, scripts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "polygraphy/data/inputs/data_loader.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

// Feeds, one per iteration. `inputs` is the metadata of the runner whose turn it is; a generator
// needs it, a reader of saved inputs does not. next() returns nullopt after the last.
class FeedSource {
 public:
  virtual ~FeedSource() = default;
  virtual std::optional<ValueMap> next(const Metadata& inputs) = 0;
  // Where the last one came from, for messages: a file, a function of a script. Empty: not known.
  virtual std::string place() const { return {}; }
  // About how many there are in all, as far as that is known by now.
  virtual std::optional<int64_t> total() const { return std::nullopt; }
  virtual bool generates() const {
    return false;
  }  // can make a feed again for another runner's metadata
  // Names that the user gave shapes for and that no input has had up to now.
  virtual std::vector<std::string> unmatched_shapes() const { return {}; }
  // The feed of an iteration that next() has delivered, made anew for other inputs; nullopt when
  // generates() is false.
  virtual std::optional<ValueMap> again(int64_t iteration, const Metadata& inputs) {
    static_cast<void>(iteration), static_cast<void>(inputs);
    return std::nullopt;
  }
};
std::unique_ptr<FeedSource> generated_feeds(DataLoaderOptions options, Logger& log);
std::unique_ptr<FeedSource> saved_feeds(std::vector<std::string> paths, Logger& log);

}  // namespace polygraphy
