// Answers to requests of the user's scripts while they run.
#pragma once

#include "polygraphy/data/user_python/user_python.h"

namespace polygraphy {

// To be called once, before scripts run: registers the classes of results that scripts may return,
// and the answers for a Python without the package polygraphy: our comparison functions and random
// inputs, with their log messages.
void answer_scripts(UserPython& python);

}  // namespace polygraphy
