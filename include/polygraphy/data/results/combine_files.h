// Making one file of several saved ones: `data merge` and `data concat`. Arrays are
// copied as they stand in the files, whatever their size; memory holds where they are.
#pragma once

#include <string>
#include <vector>

#include "base/log.h"

namespace polygraphy {

// Paths are files, or directories of one file per iteration; `output` is written as one file, whole
// or not at all, and may be one of the paths. Both throw IoError, FormatError, and Error for files
// that hold something else.

// Iteration i of every path becomes one feed; of equally named tensors the last is taken, with a
// warning. Results count as feeds, each runner's iterations in turn. Warns of different numbers of
// iterations: some feeds are incomplete then.
void merge_saved_files(const std::vector<std::string>& paths, const std::string& output,
                       Logger& log);

// The iterations of all paths, one after the other: of inputs, or of results runner by runner.
// Warns where tensors are named differently than in the first. Throws Error when there are both
// kinds.
void concat_saved_files(const std::vector<std::string>& paths, const std::string& output,
                        Logger& log);

}  // namespace polygraphy
