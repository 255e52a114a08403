// Codes of the data loader's errors.
#pragma once

#include <string>
#include <utility>

#include "base/error.h"

namespace polygraphy {

// Reasons why an input cannot be generated: an unsuitable range of values, a missing shape, a shape
// that contradicts the model, missing values.
inline constexpr ErrorCode kValueRangeUnsuitable{"value-range-unsuitable"};
inline constexpr ErrorCode kInputShapeUnknown{"input-shape-unknown"};
inline constexpr ErrorCode kInputShapeUnusable{"input-shape-unusable"};
inline constexpr ErrorCode kInputTypeNotGenerated{"input-type-not-generated"};

// An error about one input, by its name.
class InputError : public Error {
 public:
  InputError(ErrorCode code, std::string input, const std::string& message, std::string hint = {})
      : Error(code, message, std::move(hint)), input_(std::move(input)) {}
  const std::string& input() const { return input_; }

 private:
  std::string input_;
};

}  // namespace polygraphy
