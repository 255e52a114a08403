// Errors that belong to no back end.
#pragma once

#include "base/error.h"
#include "polygraphy/runtimes/backend/calibration_batches.h"
#include "polygraphy/runtimes/backend/session_options.h"

namespace polygraphy {

// True for errors of the caller (options, data) and for interruption: these are reported as they
// are, not as failures of a back end.
inline bool is_of_the_user(const Error& error) {
  return dynamic_cast<const Interrupted*>(&error) || dynamic_cast<const OptionError*>(&error) ||
         dynamic_cast<const CalibrationFailure*>(&error);
}

}  // namespace polygraphy
