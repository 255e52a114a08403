// Whether a file that is written outlives a loss of power.
#pragma once

namespace polygraphy {

enum class Durability { kFsync, kNone };  // fsync for final outputs, not for iteration artifacts

}  // namespace polygraphy
