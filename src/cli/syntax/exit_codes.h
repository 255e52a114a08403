// Exit codes of all commands (docs/exit-codes.md).
#pragma once

namespace polygraphy::cli {

inline constexpr int kAgrees = 0;   // also: the command did its work
inline constexpr int kDiffers = 1;  // a comparison or a check failed
inline constexpr int kUsage = 2;    // the command line is wrong
inline constexpr int kCouldNotRun =
    3;  // a file, a model, a runtime or an option made it impossible
inline constexpr int kInterrupted = 130;

// The original's commands return this for whatever is wrong, and scripts rely on it.
inline constexpr int kOriginalFailure = kDiffers;

}  // namespace polygraphy::cli
