// `--data-loader-backend-module torch`: random inputs as torch in the user's Python makes them.
#pragma once

#include <memory>

#include "polygraphy/data/inputs/data_loader.h"
#include "polygraphy/data/user_python/user_python.h"

namespace polygraphy {

// Throws Error when there is no torch.
std::shared_ptr<RandomBackend> torch_random(std::shared_ptr<UserPython> python);

}  // namespace polygraphy
