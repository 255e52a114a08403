// LPIPS: how different two images look to a network, which lives in the user's Python (torch and
// lpips).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/arrays/array.h"
#include "base/error.h"

namespace polygraphy {

class UserPython;

// Something that LPIPS needs is missing.
inline constexpr ErrorCode kNoLpips{"no-lpips"};

class ImageDistance {
 public:
  virtual ~ImageDistance() = default;
  // Loads the network. Throws Error when something is missing (kNoLpips).
  virtual void require() = 0;
  // nullopt when it cannot be computed; `problem` says why. Throws Error when Python is gone.
  virtual std::optional<double> distance(const Array& a, const Array& b, std::string& problem) = 0;
};

std::shared_ptr<ImageDistance> lpips_in(std::shared_ptr<UserPython> python);

}  // namespace polygraphy
