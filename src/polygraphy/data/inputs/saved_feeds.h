// Feeds from files, with what only the user's own Python can read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/data/results/torch_reader.h"
#include "polygraphy/data/user_python/user_python.h"

namespace polygraphy {

// Tensors that torch saved are read by `python`, which starts at the first one; none for no Python.
TorchReader torch_reader(std::shared_ptr<UserPython> python);

// Before long work. Throws IoError for a path where nothing can be read.
void require_saved_feeds(const std::vector<std::string>& paths);

// Tensors that torch saved are read by `python`, which starts at the first one. `order`: of the
// feeds (InputReader::reorder()); empty: as they lie.
std::unique_ptr<FeedSource> saved_feeds(std::vector<std::string> paths,
                                        std::shared_ptr<UserPython> python, Logger& log,
                                        std::vector<int64_t> order = {});

}  // namespace polygraphy
