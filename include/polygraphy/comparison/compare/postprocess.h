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

// An output that a post-processing cannot be applied to.
inline constexpr ErrorCode kNotPostprocessed{"not-postprocessed"};

class OutputFunction {
 public:
  virtual ~OutputFunction() = default;
  // What takes the place of output `name`. Throws Error when it cannot be made of this output.
  virtual Array apply(const std::string& name, const Array& output) const = 0;
  virtual std::string_view name() const = 0;  // in log lines: "TopKPostprocessFunc"
  // What the original's TopKPostprocessFunc takes for it: "(3, 1)"; empty: it cannot do this.
  virtual std::string python_argument() const { return {}; }
};

struct Postprocess {
  std::string_view form;     // "top-<K>": how values of --postprocess look
  std::string_view summary;  // for --help, without a full stop
  std::string_view example;  // a value with all its parts: "top-3,axis=1"
  // Null when `text` is no value of this kind.
  std::shared_ptr<const OutputFunction> (*parse)(std::string_view text);
};

// All kinds of the folder, in file order.
std::span<const Postprocess* const> postprocesses();

// The function that a value of --postprocess means, without the output's name: "top-5,axis=1".
// Throws Error in the original's words for anything else.
std::shared_ptr<const OutputFunction> parse_postprocess(std::string_view text);

}  // namespace polygraphy
