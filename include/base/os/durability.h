// Whether a written file survives a loss of power.
#pragma once

namespace polygraphy {

enum class Durability { kFsync, kNone };  // fsync for final outputs, not for iteration artifacts

}  // namespace polygraphy
