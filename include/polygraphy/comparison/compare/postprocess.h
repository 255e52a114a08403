// Functions that replace outputs before they are compared (`--postprocess`). One file
// per kind under postprocess/; each defines one descriptor.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/arrays/array.h"
#include "base/error.h"

namespace polygraphy {

// A post-processing does not apply to an output.
inline constexpr ErrorCode kNotPostprocessed{"not-postprocessed"};

class OutputFunction {
 public:
  virtual ~OutputFunction() = default;
  // Returns the replacement of output `name`. Throws Error if this output does not allow it.
  virtual Array apply(const std::string& name, const Array& output) const = 0;
  virtual std::string_view name() const = 0;  // in log lines: "TopKPostprocessFunc"
  // The argument of the original's TopKPostprocessFunc: "(3, 1)"; empty: the original lacks this
  // function.
  virtual std::string python_argument() const { return {}; }
};

struct Postprocess {
  std::string_view form;     // form of the values of --postprocess: "top-<K>"
  std::string_view summary;  // for --help, without a full stop
  std::string_view example;  // a value with all its parts: "top-3,axis=1"
  // Returns null if `text` is not a value of this kind.
  std::shared_ptr<const OutputFunction> (*parse)(std::string_view text);
};

// All kinds of the folder, in file order.
std::span<const Postprocess* const> postprocesses();

// The function for a value of --postprocess, without the output's name: "top-5,axis=1". Throws
// Error in the original's words for other texts.
std::shared_ptr<const OutputFunction> parse_postprocess(std::string_view text);

}  // namespace polygraphy
