// Combines several saved files into one: `data merge` and `data concat`. Arrays are copied as
// encoded in the files; memory holds only their positions.
#pragma once

#include <string>
#include <vector>

#include "base/log.h"

namespace polygraphy {

// Paths are files, or directories of one file per iteration; `output` is one file, written
// atomically, and may be one of the paths. Both throw IoError, FormatError, and Error for files of
// another kind.

// Iteration i of every path becomes one feed; of equally named tensors the last is taken, with a
// warning. Results count as feeds, each runner's iterations in turn. Warns if the numbers of
// iterations differ, because some feeds are incomplete then.
void merge_saved_files(const std::vector<std::string>& paths, const std::string& output,
                       Logger& log);

// The iterations of all paths, one after the other: inputs, or results runner by runner. Warns if
// tensors have other names than in the first path. Throws Error for a mixture of both kinds.
void concat_saved_files(const std::vector<std::string>& paths, const std::string& output,
                        Logger& log);

}  // namespace polygraphy
