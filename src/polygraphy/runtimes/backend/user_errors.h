// Errors that are no back end's.
#pragma once

#include "base/error.h"
#include "polygraphy/runtimes/backend/calibration_batches.h"
#include "polygraphy/runtimes/backend/session_options.h"

namespace polygraphy {

// Whether who asked is at fault (his options, his data) or has had enough: such an error is told as
// it is, not as the failure of a back end.
inline bool is_of_the_user(const Error& error) {
  return dynamic_cast<const Interrupted*>(&error) || dynamic_cast<const OptionError*>(&error) ||
         dynamic_cast<const CalibrationFailure*>(&error);
}

}  // namespace polygraphy
